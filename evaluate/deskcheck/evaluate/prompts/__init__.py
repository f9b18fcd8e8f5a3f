"""The questions: Jinja2 templates, one for the final arms and one for the state arms."""
