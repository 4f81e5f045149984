import { differencesShownMax, type Verification } from '../../core/verification.ts'
import type { Database } from '../../database/open.ts'
import { subjectKeyOf } from './kinds.ts'
import { nameKey } from './name-key.ts'
import { namesGivenBy } from './rebuild-subjects.ts'
import { type LogoSubjectNames, readCompanyNames } from './subjects-store.ts'
import {
  countQueuedNames,
  readSiteNameDifferences,
  readStoredCompanyNames,
  readSubjectNames,
} from './verify-subjects-store.ts'

type LogoDifference = { subject: string; field: string; stored: unknown; derived: unknown }

const atOnce = 5_000
export async function verifyLogoSubjects(database: Database): Promise<Verification<LogoDifference>> {
  const differences: LogoDifference[] = []
  const queued = await countQueuedNames(database)
  if (queued > 0)
    differences.push({ subject: 'names', field: 'queued and not placed', stored: queued, derived: 0 })
  for (let after = 0; ; ) {
    const companies = await readCompanyNames(database, after, atOnce)
    const last = companies.at(-1)
    if (last === undefined) break
    after = last.id
    differences.push(...(await compareNames(database, companies)))
  }
  for (const { kind, name, is_stored } of await readSiteNameDifferences(database)) {
    const [stored, derived] = is_stored ? [name, null] : [null, name]
    differences.push({ subject: `${kind} seen on sites`, field: 'name', stored, derived })
  }
  let checked = 0
  for (let after = 0; ; ) {
    const subjects = await readSubjectNames(database, after, atOnce)
    const last = subjects.at(-1)
    if (last === undefined) return { checked, differences: differences.slice(0, differencesShownMax) }
    after = last.id
    checked += subjects.length
    for (const subject of subjects) {
      const { name, name_folded, name_joined, derived_name } = subject
      const { folded, joined } = nameKey(name)
      const stored = [name, name_folded, name_joined]
      const derived = [derived_name, folded, joined]
      if (stored.some((each, index) => each !== derived[index]))
        differences.push({ subject: subjectKeyOf(subject), field: 'name', stored, derived })
    }
  }
}

async function compareNames(
  database: Database,
  companies: readonly LogoSubjectNames[],
): Promise<LogoDifference[]> {
  const ids = companies.map(company => company.id)
  const storedNames = Map.groupBy(await readStoredCompanyNames(database, ids), name => name.company_id)
  return companies.flatMap(company => {
    const stored = (storedNames.get(company.id) ?? []).map(name => `${name.kind} ${name.name}`).sort()
    const derived = namesGivenBy(company)
      .map(name => `${name.kind} ${name.name}`)
      .sort()
    if (JSON.stringify(stored) === JSON.stringify(derived)) return []
    return [{ subject: company.company_ref, field: 'names given', stored, derived }]
  })
}
