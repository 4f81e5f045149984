import { type Content, type Html, html } from '../html.ts'
import { number } from './text.ts'

type Bar = { name: string; parts: readonly { name: string; value: number }[] }

const width = 900
const height = 180
const gap = 0.25
/** The style sheet has this many colours. Further series share the last one, which is grey. */
const seriesMax = 11

type Chart = {
  name: string
  /** In the order of the stack. */
  series: readonly string[]
  bars: readonly Bar[]
  /** The time of a bar: by default a day. */
  per?: string
  /** Draws the entry of the legend. */
  legendEntry(series: string): Content
}

/** Draws stacked bars. The page must also show the figures as a table. */
export function barChart({ name, series, bars, per = 'a day', legendEntry }: Chart): Html {
  const totals = bars.map(({ parts }) => parts.reduce((sum, part) => sum + part.value, 0))
  const most = Math.max(1, ...totals)
  const step = width / Math.max(1, bars.length)
  const drawn = bars.map((bar, index) => stack(bar, { x: (index + gap / 2) * step, step, most, series }))
  const legend = series.map((each, index) => {
    const colour = Math.min(index, seriesMax - 1)
    return html`<li><span class="swatch series-${colour}"></span>${legendEntry(each)}</li>`
  })
  return html`<figure class="chart">
<figcaption>${name} <span>at most ${number(most)} ${per}</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}"
preserveAspectRatio="none">${drawn}</svg>
<p class="ends"><span>${bars[0]?.name}</span><span>${bars.at(-1)?.name}</span></p>
<ul class="legend">${legend}</ul></figure>`
}

type Place = { x: number; step: number; most: number; series: readonly string[] }

function stack({ name, parts }: Bar, { x, step, most, series }: Place): Html[] {
  let top = height
  return parts.map(part => {
    const tall = (part.value / most) * height
    top -= tall
    const place = html`x="${x.toFixed(1)}" y="${top.toFixed(1)}"`
    const size = html`width="${(step * (1 - gap)).toFixed(1)}" height="${tall.toFixed(1)}"`
    const colour = Math.min(series.indexOf(part.name), seriesMax - 1)
    const title = `${name}: ${part.name} ${number(part.value)}`
    return html`<rect class="series-${colour}" ${place} ${size}><title>${title}</title></rect>`
  })
}
