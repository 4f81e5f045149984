import { counted } from '@baize/names'
import type { DomainShown, VerdictPeriod } from '../../../features/look-ups/index.ts'
import {
  day,
  type Lane,
  marketLink,
  marketName,
  sourceWords,
  spanChart,
  table,
} from '../../components/index.ts'
import { type Content, html } from '../../html.ts'

const colours: Readonly<Record<string, number>> = { licensed: 2, blocklisted: 6, mixed: 1, no_record: 10 }

/** What a source said of the site, and the colour of it. */
const saying = {
  register: { name: 'licensed', colour: 2 },
  blocklist: { name: 'blocklisted', colour: 6 },
  dated_lists: { name: 'on dated lists of a mirror', colour: 5 },
} as const

const lastOf = ({ to, missing_on: missing }: VerdictPeriod): Content =>
  to === null
    ? 'listed today'
    : html`${day(to)}${missing && html`<p class="hint">not on ${day(missing)}</p>`}`

/** Returns the verdict itself, since its first recorded change. */
function verdictLane(steps: DomainShown['steps']): Lane[] {
  const spans = steps.map(({ at, after }, index) => ({
    from: at,
    to: steps[index + 1]?.at ?? null,
    name: after.replaceAll('_', ' '),
    colour: colours[after] ?? 10,
  }))
  return spans.length === 0 ? [] : [{ name: html`<b>Verdict</b>`, spans }]
}

/** Shows how the verdict changed, and when each source named the site. Mirrors license nothing today. */
export function timelineOf(
  { timeline: periods, steps }: Pick<DomainShown, 'timeline' | 'steps'>,
  now: Date,
): Content {
  if (periods.length + steps.length === 0) return null
  const lanes = Map.groupBy(periods, ({ market, basis }) => `${marketName(market)}, ${saying[basis].name}`)
  const named = [...lanes].map(([name, of]) => ({
    name,
    spans: of.map(({ from, to, basis }) => ({ from, to, ...saying[basis] })),
  }))
  return html`<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
${spanChart({
  name: 'The verdict, and what each source said',
  lanes: [...verdictLane(steps), ...named],
  today: now.toISOString().slice(0, 10),
})}
${
  periods.length > 0 &&
  table<VerdictPeriod>({
    name: 'When registers, blocklists and dated lists named the site',
    columns: [
      { name: 'Market', cell: row => marketLink(row.market) },
      { name: 'It was', cell: row => saying[row.basis].name },
      {
        name: 'Source',
        cell: row =>
          html`${sourceWords(row.stream)}
${row.lists !== null && html`<p class="hint">${counted(row.lists, 'list')}</p>`}`,
      },
      { name: 'First seen', cell: row => day(row.from) },
      { name: 'Last seen', cell: lastOf },
    ],
    rows: periods,
  })
}
<p class="hint">The verdict is shown since its first recorded change.
Between two lists nothing is known.</p></section>`
}
