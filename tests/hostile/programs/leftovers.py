# Tries: leaves files in every shared folder, by any means
# Comes to: nothing is left
# Verdict: legal_inputs/no_output
# Unisolated: * -- without a layer on writes, they stay
# Leaves: deskcheck-hostile
# Reach: outside
for folder in ("/" + "tmp", "/" + "var/tmp", "/" + "dev/shm", "..", "../..", "../../..", "../../../.."):
    try:
        with open(folder + "/deskcheck-hostile", "w") as file:
            file.write("x")
    except OSError:
        continue
    print("left one in", folder)
