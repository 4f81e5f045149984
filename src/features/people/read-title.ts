import { LRUCache } from 'lru-cache'
import { functionWords, generalManagement, type JobFunction } from './function-words.ts'
import { blanked, deputiesOf, withoutAssistants, withoutFormer } from './remove-indirect-titles.ts'
import { type RoleKey, roleGlossary, roleKeys } from './role-glossary.ts'
import { type Seniority, seniorities, seniorityWords } from './seniority-words.ts'
import { anyOf } from './title-pattern.ts'
import { titleWords } from './title-words.ts'

/** What a title says of who bears it. */
export type TitleReading = {
  /** The keys of the glossary that take it, in the glossary's order. */
  roleKeys: readonly RoleKey[]
  /** null: no word of it tells. */
  seniority: Seniority | null
  function: JobFunction | null
}

const readingsKeptMax = 20_000
const readings = new LRUCache<string, TitleReading>({ max: readingsKeptMax })

/** Reads a job title, or a headline in its place. The same text always reads the same. */
export function readTitle(title: string): TitleReading {
  const known = readings.get(title)
  if (known !== undefined) return known
  const reading = judge(titleWords(title))
  readings.set(title, reading)
  return reading
}

function judge(words: string): TitleReading {
  const current = withoutFormer(words)
  const own = withoutAssistants(current)
  return {
    roleKeys: roleKeys.filter(key => judges.roles[key].test(own)),
    seniority: seniorityOf(own, own !== current),
    // An assistant in compliance works in compliance; the assistant of a CEO runs nothing.
    function: functionOf(own) ?? functionNamed(current),
  }
}

type Judge = { test(words: string): boolean; position(words: string): number }

/** Looks for words where the look-alikes have been taken out. */
function judgeOf(
  words: readonly string[],
  without: readonly string[] = [],
  deputies: RegExp | null = null,
): Judge {
  const wanted = anyOf(words)
  const unwanted = [...(without.length === 0 ? [] : [anyOf(without, 'g')]), ...(deputies ? [deputies] : [])]
  const position = (text: string) => unwanted.reduce(blanked, text).search(wanted)
  return { position, test: text => position(text) >= 0 }
}

function judgeOfRole(key: RoleKey): Judge {
  const { patterns, exclusions, oneOffice = false } = roleGlossary[key]
  return judgeOf(patterns, exclusions, oneOffice ? deputiesOf(patterns) : null)
}

const functions = Object.entries(functionWords).map(([name, described]) => ({
  name: name as keyof typeof functionWords,
  judge: judgeOf(described.words, 'without' in described ? described.without : []),
}))

const judges = {
  roles: Object.fromEntries(roleKeys.map(key => [key, judgeOfRole(key)])) as Record<RoleKey, Judge>,
  seniority: Object.fromEntries(
    seniorities.map(level => [level, judgeOf(seniorityWords[level].words, seniorityWords[level].without)]),
  ) as Record<Seniority, Judge>,
}

function seniorityOf(own: string, assists: boolean): Seniority | null {
  const level = seniorities.find(each => judges.seniority[each].test(own))
  return level ?? (assists ? 'ic' : null)
}

const runsAll = judgeOf(
  [
    ...seniorityWords.c_level.words,
    ...seniorityWords.founder_owner.words,
    '(general|country) manager',
    '(board member|member of the board|board of directors|non executive)',
  ],
  seniorityWords.founder_owner.without,
)

const functionOf = (own: string) => functionNamed(own) ?? (runsAll.test(own) ? generalManagement : null)

/** Of several functions the one that is named first. */
function functionNamed(words: string): JobFunction | null {
  let found: JobFunction | null = null
  let first = Number.POSITIVE_INFINITY
  for (const { name, judge } of functions) {
    const position = judge.position(words)
    if (position < 0 || position >= first) continue
    found = name
    first = position
  }
  return found
}
