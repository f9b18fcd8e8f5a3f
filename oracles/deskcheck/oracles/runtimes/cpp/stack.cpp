// Raises the soft limit on the stack before anything else runs: what a build adds to each frame
// must not make a recursion overflow that fits without it. The kernel leaves at least 128 MiB for
// the stack, whatever the limit was when the program was started.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

// Sanitizers read the limit when they start, and replace functions of the C library by then.
void raise_stack(int, char **, char **) {
    struct rlimit now;
    if (syscall(SYS_prlimit64, 0, RLIMIT_STACK, nullptr, &now) != 0) return;
    const rlim_t wanted = 120ull << 20;
    if (now.rlim_cur >= wanted) return;
    now.rlim_cur = now.rlim_max < wanted ? now.rlim_max : wanted;
    syscall(SYS_prlimit64, 0, RLIMIT_STACK, &now, nullptr);
}

__attribute__((section(".preinit_array"), used)) void (*const raise_first)(int, char **, char **) =
    raise_stack;

}  // namespace
