#!/bin/sh
# One page with plots of what flock_bench measured, complete in itself (HTML with SVG):
#
#     flock_bench --output csv ... >results.csv
#     bench/report.sh results.csv >report.html
#
# Reads standard input without an argument. Needs a POSIX shell and awk.
set -eu

if [ $# -gt 1 ] || [ "${1:-}" = --help ]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    [ "${1:-}" = --help ] && exit 0
    exit 1
fi
if [ $# -eq 1 ] && [ ! -r "$1" ]; then
    echo "report.sh: error: cannot read $1" >&2
    exit 2
fi

LC_ALL=C exec awk -v name="${1:-standard input}" '
# ---- reading ----

function fail(text) {
    print "report.sh: error: " name ": " text >"/dev/stderr"
    failed = 1
    exit 3
}

# A field of a line of results by the name of its column.
function get(r, column) {
    return value[r, field[column]]
}

function escape(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/"/, "\\&quot;", text)
    return text
}

BEGIN {
    FS = ","
    n = 0
    n_phases = split("witness commit zerocheck lincheck open grind", phase, " ")
    split("⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹", superscript, " ")
}

NR == 1 {
    n_fields = NF
    for (i = 1; i <= NF; i++) {
        field[$i] = i
        heading[i] = $i
    }
    if (!("hash" in field) || !("native_per_proved" in field)) {
        fail("not results of flock_bench --output csv")
    }
    next
}

{
    if (NF != n_fields) {
        fail("line " NR " has " NF " fields instead of " n_fields)
    }
    n++
    for (i = 1; i <= NF; i++) {
        value[n, i] = $i
    }
}

# ---- series: lines of results that differ in the number of evaluations or of threads only ----

function differs(column,    r) {
    for (r = 2; r <= n; r++) {
        if (get(r, column) != get(1, column)) {
            return 1
        }
    }
    return 0
}

# The words that tell a line from others; the hash always.
function label_of(r,    text, i) {
    text = get(r, "hash")
    for (i = 1; i <= n_names; i++) {
        if (names[i] != "hash" && varies[names[i]]) {
            text = text (names[i] == "backend" || names[i] == "mode" || names[i] == "relation" ? ", " : ", " names[i] " ") get(r, names[i])
        }
    }
    return text
}

function threads_text(r) {
    return get(r, "threads") (get(r, "threads") == 1 ? " thread" : " threads")
}

# colour[r]: number of the series without threads; series[r]: with; dash[r]: number of the threads
function make_series(    r, i, key) {
    n_names = split("hash relation layout mode buffers backend", names, " ")
    for (i = 1; i <= n_names; i++) {
        varies[names[i]] = differs(names[i])
    }
    threads_vary = differs("threads")
    for (r = 1; r <= n; r++) {
        label[r] = label_of(r)
        if (!(label[r] in colour_of)) {
            colour_of[label[r]] = n_colours++
        }
        colour[r] = colour_of[label[r]]
        if (!(get(r, "threads") in dash_of)) {
            dash_of[get(r, "threads")] = n_dashes++
        }
        dash[r] = dash_of[get(r, "threads")]
        key = label[r] (threads_vary ? ", " threads_text(r) : "")
        if (!(key in series_of)) {
            series_of[key] = ++n_series
            series_name[n_series] = key
            series_row[n_series] = r
        }
        series[r] = series_of[key]
    }
}

# ---- numbers and scales ----

function log2(x) {
    return log(x) / log(2)
}

function power_text(k,    text, digits, i) {
    digits = k ""
    for (i = 1; i <= length(digits); i++) {
        text = text superscript[substr(digits, i, 1) + 1]
    }
    return "2" text
}

# "24,576"
function grouped(x,    text, whole) {
    whole = sprintf("%.0f", x)
    while (length(whole) > 3) {
        text = "," substr(whole, length(whole) - 2) text
        whole = substr(whole, 1, length(whole) - 3)
    }
    return whole text
}

function evaluations_text(x,    k) {
    k = log2(x)
    return k - int(k + 0.001) < 0.001 ? power_text(int(k + 0.5)) : grouped(x)
}

# 1234567 -> "1.2 M"
function short(x) {
    if (x >= 1e6) {
        return sprintf("%g", sprintf("%.3g", x / 1e6)) " M"
    }
    if (x >= 1e4) {
        return sprintf("%g", sprintf("%.3g", x / 1e3)) " k"
    }
    return sprintf("%g", sprintf("%.4g", x))
}

# A round step that divides `top` into four to eight parts.
function nice_step(top,    raw, unit) {
    raw = top / 6
    unit = exp(log(10) * int(log(raw) / log(10) + (raw < 1 ? -1 : 0)))
    if (raw / unit <= 1) {
        return unit
    }
    if (raw / unit <= 2) {
        return 2 * unit
    }
    return raw / unit <= 5 ? 5 * unit : 10 * unit
}

# ---- plots ----

# The plane of a plot in the units of its viewBox.
function plane(    nothing) {
    width = 640; height = 340
    left = 64; right = 20; top = 14; bottom = 48
}

function px(x) {
    return left + (x - x_low) / (x_high - x_low) * (width - left - right)
}

function py(y) {
    return height - bottom - y / y_high * (height - top - bottom)
}

function figure_begin(title, subtitle) {
    print "<figure>\n<figcaption><h2>" title "</h2><p>" subtitle "</p></figcaption>"
}

function legend(has_threads,    s, t, key) {
    print "<ul class=\"legend\">"
    for (s = 0; s < n_colours; s++) {
        for (key in colour_of) {
            if (colour_of[key] == s) {
                print "<li><svg class=\"key\" viewBox=\"0 0 24 10\" aria-hidden=\"true\"><line class=\"c" s % 8 "\" x1=\"0\" x2=\"24\" y1=\"5\" y2=\"5\"/></svg>" escape(key) "</li>"
            }
        }
    }
    for (s = 0; s < n_dashes && has_threads && n_dashes > 1; s++) {
        for (t in dash_of) {
            if (dash_of[t] == s) {
                print "<li><svg class=\"key\" viewBox=\"0 0 24 10\" aria-hidden=\"true\"><line class=\"plain d" s % 4 "\" x1=\"0\" x2=\"24\" y1=\"5\" y2=\"5\"/></svg>" t (t == 1 ? " thread" : " threads") "</li>"
            }
        }
    }
    print "</ul>"
}

function svg_begin(title) {
    printf "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", width, height, escape(title)
}

function axis_y(name_y, highest,    step, y) {
    step = nice_step(highest > 0 ? highest : 1)
    y_high = step * int(highest / step + 0.999)
    for (y = 0; y <= y_high * 1.001; y += step) {
        printf "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", left, width - right, py(y), py(y), left - 8, py(y) + 4, short(y)
    }
    printf "<text class=\"axis\" transform=\"translate(14 %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>\n", (top + height - bottom) / 2, name_y
}

function tick_x(x, text) {
    printf "<line class=\"base\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", px(x), px(x), height - bottom, height - bottom + 4, px(x), height - bottom + 18, text
}

function axis_x(name_x) {
    printf "<line class=\"base\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n", left, width - right, height - bottom, height - bottom
    printf "<text class=\"axis\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (left + width - right) / 2, height - 8, name_x
}

# The points of one series, xs[1..n_points] and ys, in ascending order.
function add_point(x, y, text,    i) {
    for (i = n_points; i > 0 && xs[i] > x; i--) {
        xs[i + 1] = xs[i]; ys[i + 1] = ys[i]; texts[i + 1] = texts[i]
    }
    xs[i + 1] = x; ys[i + 1] = y; texts[i + 1] = text
    n_points++
}

function draw_points(c, d,    i, path) {
    for (i = 1; i <= n_points; i++) {
        path = path (i == 1 ? "M" : "L") sprintf("%.1f %.1f", px(xs[i]), py(ys[i]))
    }
    if (n_points > 1) {
        print "<path class=\"c" c % 8 " d" d % 4 "\" d=\"" path "\"/>"
    }
    for (i = 1; i <= n_points; i++) {
        printf "<circle class=\"c%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%s</title></circle>\n", c % 8, px(xs[i]), py(ys[i]), escape(texts[i])
    }
}

# One column of the results against the number of evaluations.
function plot_batches(title, subtitle, column, name_y, unit,    r, s, k, highest, step) {
    plane()
    x_low = 1e9; x_high = 0; highest = 0
    for (r = 1; r <= n; r++) {
        k = log2(get(r, "evaluations"))
        x_low = k < x_low ? k : x_low
        x_high = k > x_high ? k : x_high
        highest = get(r, column) > highest ? get(r, column) + 0 : highest
    }
    x_low = int(x_low) - (x_low == x_high)
    x_high = int(x_high + 0.999) + (x_low + 1 >= x_high)
    figure_begin(title, subtitle)
    legend(1)
    svg_begin(title)
    axis_y(name_y, highest)
    step = x_high - x_low > 12 ? 2 : 1
    for (k = x_low; k <= x_high; k += step) {
        tick_x(k, power_text(k))
    }
    axis_x("evaluations in a proof")
    for (s = 1; s <= n_series; s++) {
        n_points = 0
        for (r = 1; r <= n; r++) {
            if (series[r] == s) {
                add_point(log2(get(r, "evaluations")), get(r, column), series_name[s] ", " evaluations_text(get(r, "evaluations")) " evaluations: " grouped_number(get(r, column)) unit)
            }
        }
        draw_points(colour[series_row[s]], dash[series_row[s]])
    }
    print "</svg>\n</figure>"
}

function grouped_number(x) {
    return x >= 1000 ? grouped(x) : sprintf("%g", sprintf("%.4g", x))
}

# Time on one thread over time on n, at the largest batch of each kind.
function plot_threads(    r, q, s, c, most, highest, best_count, speed_up) {
    for (r = 1; r <= n; r++) {
        if (get(r, "threads") > most) {
            most = get(r, "threads") + 0
        }
        if (!(label[r] in best_count) || get(r, "evaluations") > best_count[label[r]] + 0) {
            best_count[label[r]] = get(r, "evaluations")
        }
    }
    for (r = 1; r <= n; r++) { # the times on one thread
        if (get(r, "threads") == 1 && get(r, "evaluations") == best_count[label[r]]) {
            one[label[r]] = get(r, "best_ms")
        }
    }
    highest = most
    if (most < 2) {
        return
    }
    plane()
    x_low = 1; x_high = most
    figure_begin("Speed-up against threads", "Time on one thread over time on <i>n</i>, at the largest batch of each; the grey line is perfect")
    legend(0)
    svg_begin("Speed-up against threads")
    axis_y("speed-up", highest)
    for (c = 1; c <= most; c++) {
        if (most <= 16 || c % 4 == 0 || c == 1) {
            tick_x(c, c)
        }
    }
    axis_x("threads")
    printf "<line class=\"ideal\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", px(1), py(1), px(most), py(most)
    for (c = 0; c < n_colours; c++) {
        n_points = 0
        for (r = 1; r <= n; r++) {
            if (colour[r] == c && get(r, "evaluations") == best_count[label[r]] && label[r] in one) {
                speed_up = one[label[r]] / get(r, "best_ms")
                add_point(get(r, "threads") + 0, speed_up, label[r] ", " evaluations_text(get(r, "evaluations")) " evaluations, " threads_text(r) ": " sprintf("%.2f times", speed_up) (get(r, "serial_percent") != "" ? ", serial " get(r, "serial_percent") " %" : ""))
            }
        }
        draw_points(c, 0)
    }
    print "</svg>\n</figure>"
}

# The line of a series that stands for it: 2^14 evaluations (3 * 2^13 for keccak3), else the most.
function representative(s,    r, chosen, count) {
    for (r = 1; r <= n; r++) {
        count = get(r, "evaluations") + 0
        if (series[r] == s) {
            if (count == 16384 || count == 24576) {
                return r
            }
            if (!chosen || count > get(chosen, "evaluations") + 0) {
                chosen = r
            }
        }
    }
    return chosen
}

# Milliseconds of a phase: the sum of its parts.
function phase_ms(r, p,    i, sum) {
    for (i = 1; i <= n_fields; i++) {
        if (index(heading[i], phase[p] ": ") == 1) {
            sum += value[r, i]
        }
    }
    return sum
}

# What a phase is made of, for the tip.
function parts_text(r, p,    i, text) {
    for (i = 1; i <= n_fields; i++) {
        if (index(heading[i], phase[p] ": ") == 1) {
            text = text "\n" substr(heading[i], length(phase[p]) + 3) ": " sprintf("%.2f", value[r, i])
        }
    }
    return text
}

# A gap of one unit between neighbours, if there is room for it.
function bar_width(w) {
    return w > 2 ? w - 1 : w
}

function plot_phases(    s, r, p, x, y, cycles, per_ms, highest, step, bar) {
    bar = 34
    plane()
    left = 20; top = 8
    height = top + bottom + bar * n_series
    highest = 0
    for (s = 1; s <= n_series; s++) {
        r = representative(s)
        highest = get(r, "cycles_per_element") > highest ? get(r, "cycles_per_element") + 0 : highest
    }
    step = nice_step(highest)
    x_low = 0; x_high = step * int(highest / step + 0.999)
    figure_begin("Where the time goes", "Core cycles for each packed element of the witness, phase by phase, of the best proof")
    print "<ul class=\"legend\">"
    for (p = 1; p <= n_phases; p++) {
        print "<li><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"f" p - 1 "\" width=\"10\" height=\"10\" rx=\"2\"/></svg>" phase[p] "</li>"
    }
    print "</ul>"
    svg_begin("Where the time goes")
    for (x = 0; x <= x_high * 1.001; x += step) {
        printf "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", px(x), px(x), top, height - bottom
        tick_x(x, short(x))
    }
    axis_x("cycles per element")
    for (s = 1; s <= n_series; s++) {
        r = representative(s)
        per_ms = get(r, "cycles_per_element") / get(r, "best_ms")
        y = top + bar * (s - 1)
        x = 0
        printf "<text class=\"name\" x=\"%d\" y=\"%.1f\">%s, %s evaluations: %s</text>\n", left + 2, y + 11, escape(series_name[s]), evaluations_text(get(r, "evaluations")), sprintf("%.0f", get(r, "cycles_per_element"))
        for (p = 1; p <= n_phases; p++) {
            cycles = phase_ms(r, p) * per_ms
            printf "<rect class=\"f%d\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"13\"><title>%s</title></rect>\n", p - 1, px(x), y + 16, bar_width(px(cycles) - px(0)), escape(series_name[s] ", " phase[p] ": " sprintf("%.1f cycles per element, %.2f ms, %.1f %%", cycles, phase_ms(r, p), 100 * phase_ms(r, p) / get(r, "best_ms")) parts_text(r, p))
            x += cycles
        }
    }
    print "</svg>\n</figure>"
}

# ---- the table ----

function predicted_title() {
    return get(1, "predicted_threads") == "" ? "predicted" : get(1, "predicted_threads") " threads; efficiency %"
}

function table(    n_columns, columns, titles, hidden, i, r, text) {
    n_columns = split("hash relation layout mode buffers evaluations m backend threads best_ms median_ms cycles_per_element proved_per_second native_per_second native_per_proved efficiency_percent serial_percent predicted_efficiency_percent memory_per_witness proof_bytes verify_ms", columns, " ")
    split("hash,relation,layout,mode,buffers,evaluations,m,backend,threads,best ms,median ms,cycles per element,proved per second,native per second,native per proved,efficiency %,serial %," predicted_title() ",memory / witness,proof bytes,verify ms", titles, ",")
    print "<section><h2>All results</h2><div class=\"table\"><table><thead><tr>"
    for (i = 1; i <= n_columns; i++) {
        hidden[i] = columns[i] ~ /^(relation|layout|mode|buffers)$/ && !varies[columns[i]] ||
            columns[i] ~ /^predicted/ && get(1, "predicted_threads") == ""
        if (!hidden[i]) {
            print "<th>" titles[i] "</th>"
        }
    }
    print "</tr></thead><tbody>"
    for (r = 1; r <= n; r++) {
        printf "<tr>"
        for (i = 1; i <= n_columns; i++) {
            if (hidden[i]) {
                continue
            }
            text = get(r, columns[i])
            if (columns[i] == "evaluations" || columns[i] ~ /_bytes$|_per_second$/) {
                text = grouped(text)
            }
            printf "<td>%s</td>", text == "" ? "–" : escape(text)
        }
        print "</tr>"
    }
    print "</tbody></table></div></section>"
}

# ---- the page ----

function style() {
    print "<style>"
    print ":root{color-scheme:light dark;--page:#f6f6f4;--card:#fff;--ink:#16181d;--soft:#5c6370;--grid:#e4e5e8;--base:#9aa0aa;--ideal:#b3b8c0;--0:#2a78d6;--1:#1baf7a;--2:#d98e00;--3:#7a3fb5;--4:#e34948;--5:#00807d;--6:#d45f94;--7:#8a6d3b}"
    print "@media(prefers-color-scheme:dark){:root{--page:#121417;--card:#1b1e23;--ink:#eceef2;--soft:#a3aab6;--grid:#2c3038;--base:#6b7280;--ideal:#565d69;--0:#5b9df0;--1:#2fc08d;--2:#e0a333;--3:#b18cf0;--4:#f07a74;--5:#3cb3b0;--6:#e889b3;--7:#c2a36b}}"
    print "*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}"
    print "main{max-width:1360px;margin:0 auto;padding:28px 20px 48px}h1{font-size:26px;line-height:1.2;margin:0 0 4px}h2{font-size:17px;margin:0}p{margin:2px 0;color:var(--soft)}"
    print ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,520px),1fr));gap:18px;margin:22px 0}"
    print "figure,section{margin:0;background:var(--card);border:1px solid var(--grid);border-radius:10px;padding:16px 18px}figcaption p{font-size:13px;min-height:20px}"
    print "svg{display:block;width:100%;height:auto}svg.key{display:inline-block;width:24px;height:10px;margin-right:6px}"
    print ".legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 16px;margin:10px 0 6px;padding:0;font-size:13px}"
    print "text{fill:var(--soft);font-size:12px;font-family:system-ui,sans-serif}text.name{fill:var(--ink)}"
    print ".grid{stroke:var(--grid)}.base{stroke:var(--base)}.ideal{stroke:var(--ideal);stroke-width:1.5}path,svg.key line{fill:none;stroke-width:2;stroke-linejoin:round}.plain{stroke:var(--soft)}circle{stroke:var(--card);stroke-width:1.5}"
    for (i = 0; i < 8; i++) {
        printf "path.c%d,line.c%d{stroke:var(--%d)}circle.c%d,.f%d{fill:var(--%d)}", i, i, i, i, i, i
    }
    print "\n.d1{stroke-dasharray:7 4}.d2{stroke-dasharray:2 4}.d3{stroke-dasharray:9 3 2 3}"
    print ".table{overflow-x:auto;margin-top:10px}table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums;width:100%}th,td{padding:5px 10px;text-align:right;border-bottom:1px solid var(--grid);white-space:nowrap}th{color:var(--soft);font-weight:600;white-space:normal;vertical-align:bottom}th:first-child,td:first-child{text-align:left}"
    print "</style>"
}

# Warnings that hold for any line.
function notes(    r, slow, busy) {
    for (r = 1; r <= n; r++) {
        slow = slow || get(r, "native_is_slow") == 1
        busy = busy || get(r, "native_per_second") < 0.75 * get(r, "native_per_second_peak")
    }
    if (slow) {
        print "<p><strong>Native hashing was slower than it can be: native evaluations per proved one are flattered.</strong></p>"
    }
    if (busy) {
        print "<p><strong>Other work shared the cores while this was measured: trust ratios, not times.</strong></p>"
    }
}

END {
    if (failed) {
        exit 3
    }
    if (n == 0) {
        fail("no results")
    }
    make_series()
    print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>Flock: what proofs cost</title>"
    style()
    print "</head>\n<body>\n<main>\n<header><h1>What proofs cost</h1>"
    print "<p>" escape(get(1, "processor")) " at " sprintf("%.2f", get(1, "clock_ghz")) " GHz, " escape(get(1, "compiler")) (varies["backend"] ? "" : ", backend " escape(get(1, "backend"))) (varies["mode"] ? "" : ", mode " escape(get(1, "mode"))) (varies["layout"] ? "" : ", layout " escape(get(1, "layout"))) (varies["relation"] ? "" : ", relation " escape(get(1, "relation"))) "; best of " get(1, "runs") " proofs each</p>"
    notes()
    print "</header>\n<div class=\"plots\">"
    plot_batches("Throughput", "Evaluations proved per second, from inputs to the bytes of a proof", "proved_per_second", "proved per second", " per second")
    plot_batches("Cost over computing", "Native scalar evaluations on one core in the time of one proved evaluation", "native_per_proved", "native per proved", " native evaluations")
    plot_threads()
    plot_phases()
    plot_batches("Memory", "Most memory that the prover held, over the size of the witness", "memory_per_witness", "memory / witness", " times the witness")
    plot_batches("Verification", "Time to verify a proof on one core", "verify_ms", "milliseconds", " ms")
    print "</div>"
    table()
    print "</main>\n</body>\n</html>"
}
' "$@"
