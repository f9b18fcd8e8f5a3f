"""Charts as the inside of SVG elements: plain shapes with classes, and no style of their own."""
