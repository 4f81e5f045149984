// Links the labelled holders as syncs would, and prints how many pairs of one company share a Company: `npm
// run identity-quality [-- --frozen] [--show]`. The default is the half for work on rules. `--show` names
// each mistake and link, except those of the frozen half: an author who sees them would tune the rules on
// them. The exit code is 1 if a goal is missed (identity-quality/score.ts).
import { parseArgs } from 'node:util'
import { knownOperators, labelledHolders, labelledPairs } from './identity-quality/labelled-pairs.ts'
import { linkLabelled } from './identity-quality/link-labelled.ts'
import {
  foundRecall,
  linkedRecall,
  missedGoals,
  operatorResult,
  scorePairs,
} from './identity-quality/score.ts'
import { startOwnService } from './own-service.ts'

const { values } = parseArgs({
  options: { frozen: { type: 'boolean', default: false }, show: { type: 'boolean', default: false } },
})
if (values.frozen && values.show) {
  console.error('--show is for the tuning half: nobody tunes on the frozen pairs')
  process.exit(2)
}
const half = values.frozen ? 'frozen' : 'tuning'
const own = await startOwnService('identity-quality')
try {
  const linked = await linkLabelled(own.service.live)
  const score = scorePairs(labelledPairs(half), linked)
  const { same, different, wrong, candidates, missed, asked } = score
  console.log(`${half}: ${same} pairs of one company, ${different} of two`)
  console.log(`linked      ${score.linked}  recall ${linkedRecall(score).toFixed(3)}`)
  console.log(`candidates  ${candidates}  recall with links ${foundRecall(score).toFixed(3)}`)
  console.log(`wrong links ${wrong.length}`)
  for (const [evidence, count] of Object.entries(linked.linked)) console.log(`  ${evidence}  ${count}`)
  if (values.show) {
    for (const [title, pairs] of Object.entries({ wrong, missed, asked }))
      for (const { a, b, kind, reason } of pairs)
        console.log(`${title}: ${a.key} | ${b.key} (${kind}; ${reason})`)
    for (const link of linked.links) console.log(`link: ${link}`)
  }
  const { in_pieces, right_today } = knownOperators()
  let isMissed = missedGoals(score).length > 0
  const holders = labelledHolders()
  console.log(
    '\nCompanies of operators: all rows, before and now; rows of files in ../shared/data, before and now',
  )
  for (const operator of [...in_pieces, ...right_today]) {
    const { companies, before, joined } = operatorResult(operator, linked)
    const filed = operator.rows.filter(row => holders.get(row)?.file !== undefined)
    const ofFiles = operatorResult({ ...operator, rows: filed }, linked)
    isMissed ||= companies > 1 || joined.length > 0
    const figures = [operator.rows.length, before, companies, filed.length, ofFiles.before, ofFiles.companies]
    const wrongly = joined.length > 0 ? `  joined with ${joined.join(', ')}` : ''
    console.log(
      `${operator.name.padEnd(44)}${figures.map(each => String(each).padStart(4)).join('')}${wrongly}`,
    )
  }
  for (const goal of missedGoals(score)) console.log(`goal missed: ${goal}`)
  if (isMissed) process.exitCode = 1
} finally {
  await own.close()
}
