"""The commands that read runs; `deskcheck.builder.cli` names them."""
