// npm run observation-quality [-- --set tuning|blind] [--show] [--json]
// Reads labelled pages as a check would, and prints precision and recall of each section. `--show` names each
// mistake; of the blind set it does not, because an author who sees its mistakes tunes on it.
import { parseArgs } from 'node:util'
import { changedFiles, labelledSites, type PageSet } from './observation-quality/labelled-sites.ts'
import {
  type Mistake,
  precisionOf,
  recallOf,
  type Score,
  scoredSections,
  scoreSites,
} from './observation-quality/score.ts'

/** An author of rules has seen its labels. */
const seenSites: Record<PageSet, string[]> = { tuning: [], blind: ['morozko'] }

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'tuning' },
    show: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const { set } = values
if (set !== 'tuning' && set !== 'blind') fail('--set must be tuning or blind')
if (values.show && set === 'blind') fail('--show is for the tuning set: nobody tunes on the frozen pages')
const changed = set === 'blind' ? changedFiles('blind') : []
if (changed.length > 0) fail(`frozen pages were changed: ${changed.join(', ')}`)

const excluded = seenSites[set]
const score = await scoreSites(labelledSites(set).filter(({ name }) => !excluded.includes(name)))
if (values.json) console.log(JSON.stringify({ set, excluded, ...summaryOf(score) }, null, 2))
else print(score)

function summaryOf({ mistakes: _, ...figures }: Score) {
  return figures
}

function print({ sites, pages, sections, tempted, falsePreLaunch, falseLive, mistakes }: Score): void {
  const left = excluded.length > 0 ? `; left out, because an author has seen it: ${excluded.join(', ')}` : ''
  console.log(`${set}: ${sites} sites, ${pages} responses${left}\n`)
  console.log('section             precision  recall  right  wrong  missed')
  for (const section of scoredSections) {
    const counts = sections[section]
    const figures = [precisionOf(counts), recallOf(counts)].map(ratio => ratio.toFixed(3))
    const numbers = [counts.right, counts.wrong, counts.missed].map(String)
    console.log(
      [
        section.padEnd(20),
        figures[0]?.padStart(9),
        figures[1]?.padStart(8),
        ...numbers.map(each => each.padStart(7)),
      ].join(''),
    )
  }
  console.log(`\ntempting values taken: ${tempted}`)
  console.log(`false pre_launch: ${namesOf(falsePreLaunch)}, false live: ${namesOf(falseLive)}`)
  if (values.show) for (const mistake of mistakes.toSorted(bySection)) console.log(lineOf(mistake))
}

/** Of the blind set their number alone. */
function namesOf(sites: readonly string[]): string {
  return sites.length === 0 || set === 'blind' ? `${sites.length}` : `${sites.length} (${sites.join(' ')})`
}

function bySection(one: Mistake, other: Mistake): number {
  return one.section < other.section ? -1 : 1
}

function lineOf({ site, section, kind, value, rule, snippet }: Mistake): string {
  return `${section}  ${kind}  ${site}  ${value}${rule === null ? '' : `  by ${rule}: ${snippet ?? ''}`}`
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
