"""One module per command; `deskcheck.builder.cli` names them and imports each only when it runs."""
