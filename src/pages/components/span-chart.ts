import { type Content, type Html, html } from '../html.ts'
import { dayText } from './text.ts'

type Span = {
  /** A day, such as 2026-04-18. */
  from: string
  /** null: until today. */
  to: string | null
  name: string
  /** The number of a colour of the style sheet. */
  colour: number
}

export type Lane = { name: Content; spans: readonly Span[] }

const width = 1_000
const height = 14
/** A span of one day is still visible. */
const spanWidthMin = 4

/** Draws periods as bars on a common axis of days. The page must also show them as a table. */
export function spanChart({
  name,
  lanes,
  today,
}: {
  name: string
  lanes: readonly Lane[]
  today: string
}): Html {
  const spans = lanes.flatMap(each => each.spans)
  const first = spans.map(each => each.from).toSorted()[0] ?? today
  const start = Date.parse(first)
  const days = Math.max(1, Date.parse(today) - start)
  const bar = ({ from, to, name: what, colour }: Span) => {
    const x = Math.min(((Date.parse(from) - start) / days) * width, width - spanWidthMin)
    const wide = Math.max(((Date.parse(to ?? today) - start) / days) * width - x, spanWidthMin)
    return html`<rect class="series-${colour}" x="${x.toFixed(1)}" y="0" width="${wide.toFixed(1)}"
height="${height}"><title>${spanText({ from, to, name: what })}</title></rect>`
  }
  const drawn = lanes.map(
    lane => html`<li><span>${lane.name}</span><svg viewBox="0 0 ${width} ${height}" role="img"
aria-label="${lane.spans.map(spanText).join('; ')}"
preserveAspectRatio="none">${lane.spans.map(bar)}</svg></li>`,
  )
  const legend = new Map(spans.map(each => [each.name, each.colour]))
  return html`<figure class="chart spans"><figcaption>${name}</figcaption><ul class="lanes">${drawn}</ul>
<p class="ends"><span>${dayText(first)}</span><span>today</span></p>
<ul class="legend">${[...legend].map(
    ([each, colour]) => html`<li><span class="swatch series-${colour}"></span>${each}</li>`,
  )}</ul></figure>`
}

const spanText = ({ from, to, name }: Pick<Span, 'from' | 'to' | 'name'>): string =>
  `${name} from ${dayText(from)}${to === null ? '' : ` to ${dayText(to)}`}`
