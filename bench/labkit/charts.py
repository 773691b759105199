"""Small charts as SVG text: horizontal bars and lines. Nothing but rectangles, polylines and words."""
from xml.sax.saxutils import escape

COLOURS = ("#2f6f9f", "#d08a2f", "#6b9a4f", "#a9557a", "#777777")
FONT = 'font-family="sans-serif" font-size="12"'


def svg(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
            f'<rect width="{width}" height="{height}" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")


def text(x, y, words, anchor="start", size=12):
    return f'<text x="{x:.0f}" y="{y:.0f}" font-family="sans-serif" font-size="{size}" text-anchor="{anchor}">{escape(words)}</text>'


def bars(title, rows, unit, series):
    """rows: (label, [values]); one bar for each value, coloured by series. A value of None leaves its bar out."""
    left, width, height = 190, 760, 20
    largest = max((v for _, values in rows for v in values if v is not None), default=0) or 1
    parts, y = [text(10, 20, title, size=14)], 40
    for i, name in enumerate(series):
        parts.append(f'<rect x="{left + i * 180}" y="{y - 10}" width="12" height="12" fill="{COLOURS[i % len(COLOURS)]}"/>')
        parts.append(text(left + i * 180 + 18, y, name))
    y += 22
    for label, values in rows:
        parts.append(text(left - 8, y + height / 2 + 2, label, "end"))
        for i, value in enumerate(values):
            if value is None:
                continue
            size = max(1.0, value / largest * (width - left - 90))
            parts.append(f'<rect x="{left}" y="{y}" width="{size:.1f}" height="{height - 6}" fill="{COLOURS[i % len(COLOURS)]}"/>')
            parts.append(text(left + size + 5, y + height - 9, f"{value:.2f} {unit}" if value < 10 else f"{value:.0f} {unit}"))
            y += height - 3
        y += 8
    return svg(width, int(y + 10), parts)


def lines(title, series, x_name, y_name):
    """series: (name, [(x, y)]), drawn from the origin."""
    left, top, width, height = 70, 40, 760, 360
    largest_x = max((x for _, points in series for x, _ in points), default=1)
    largest_y = max((y for _, points in series for _, y in points), default=1)
    parts = [text(10, 20, title, size=14),
             f'<path d="M{left} {top} V{height - 40} H{width - 20}" fill="none" stroke="black"/>',
             text(width - 20, height - 10, x_name, "end"), text(left, top - 6, y_name)]
    for k in range(1, 5):
        x = left + k / 4 * (width - left - 40)
        y = (height - 40) - k / 4 * (height - 60 - top)
        parts.append(text(x, height - 24, f"{largest_x * k / 4:.3g}", "middle"))
        parts.append(text(left - 6, y + 4, f"{largest_y * k / 4:.3g}", "end"))
    for i, (name, points) in enumerate(series):
        placed = [(left + x / largest_x * (width - left - 40), (height - 40) - y / largest_y * (height - 60 - top))
                  for x, y in points]
        colour = COLOURS[i % len(COLOURS)]
        parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in placed)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed]
        parts.append(f'<rect x="{left + 20}" y="{top + 18 * i}" width="12" height="12" fill="{colour}"/>')
        parts.append(text(left + 38, top + 18 * i + 11, name))
    return svg(width, height, parts)
