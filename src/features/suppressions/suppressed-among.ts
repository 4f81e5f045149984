import { createHmac } from 'node:crypto'
import { emailKey, foldedWords, personNameKey, profileKey, readDomain, splitLegalForm } from '@baize/names'
import type { Database } from '../../database/open.ts'
import { signingSecret } from '../../database/signing-secret.ts'
import {
  anySuppressed,
  type Employer,
  findSuppressions,
  type Handle,
  readEmployers,
} from './suppression-store.ts'

export type Person = {
  name: string
  emails: readonly string[]
  profiles: readonly string[]
  employer: {
    companyId?: number | null
    companyRef?: string
    names?: readonly string[]
    sites?: readonly string[]
  }
}

export const secretPurpose = 'suppression'
const digestsAtOnceMax = 5_000

/** `licensee` is the folded name of a licensee, in the order of its words. */
export type Digester = (handle: Handle | 'licensee', key: string) => Buffer

/**
 * Returns a function that hashes handles with this installation's secret. Without it, nobody can reverse
 * the digests by trying names.
 */
export async function openDigester(database: Database): Promise<Digester> {
  const secret = await signingSecret(database, secretPurpose)
  return (handle, key) => createHmac('sha256', secret).update(`${handle}\0${key}`).digest()
}

/** Returns for each person, in order, whether the person is suppressed. */
export async function suppressedAmong(database: Database, people: readonly Person[]): Promise<boolean[]> {
  if (people.length === 0 || !(await anySuppressed(database))) return people.map(() => false)
  const digest = await openDigester(database)
  const handles = people.map(person => handlesOf(person, digest))
  const matches = await matchSuppressions(database, handles.flat())
  const companyIds = [...new Set([...matches.values()].flatMap(ids => [...ids]).filter(id => id !== null))]
  const employers = companyIds.length === 0 ? [] : await readEmployers(database, companyIds)
  const byId = new Map(employers.map(employer => [employer.company_id, namesOf(employer)]))
  return people.map((person, index) =>
    (handles[index] as HashedHandle[]).some(({ id }) =>
      [...(matches.get(id) ?? [])].some(
        companyId => companyId === null || worksFor(person, companyId, byId.get(companyId)),
      ),
    ),
  )
}

type HashedHandle = { id: string; digest: Buffer }

function handlesOf({ name, emails, profiles }: Person, digest: Digester): HashedHandle[] {
  const keys: [Handle, string | null][] = [
    ['name', personNameKey(name)],
    ...emails.map((address): [Handle, string | null] => ['email', emailKey(address)]),
    ...profiles.map((address): [Handle, string | null] => ['profile', profileKey(address)]),
  ]
  return keys.flatMap(([handle, key]) => {
    if (key === null) return []
    const hashed = digest(handle, key)
    return [{ id: hashed.toString('base64'), digest: hashed }]
  })
}

/** Returns the Companies where each handle is suppressed; null means everywhere. */
async function matchSuppressions(
  database: Database,
  handles: readonly HashedHandle[],
): Promise<Map<string, Set<number | null>>> {
  const matches = new Map<string, Set<number | null>>()
  const distinct = [...new Map(handles.map(({ id, digest }) => [id, digest])).values()]
  for (let start = 0; start < distinct.length; start += digestsAtOnceMax) {
    for (const { digest, company_id } of await findSuppressions(
      database,
      distinct.slice(start, start + digestsAtOnceMax),
    )) {
      const id = digest.toString('base64')
      matches.set(id, (matches.get(id) ?? new Set()).add(company_id))
    }
  }
  return matches
}

type CompanyNames = { refs: Set<string>; names: Set<string>; domains: Set<string> }

function namesOf({ refs, names, domains }: Employer): CompanyNames {
  return {
    refs: new Set(refs),
    names: new Set(names.map(withoutForm).filter(name => name !== '')),
    domains: new Set(domains),
  }
}

/** Removes the legal form, because a suppression at Alpha also applies to Alpha Ltd. */
const withoutForm = (name: string) => splitLegalForm(foldedWords(name)).stem.join(' ')

function worksFor({ employer }: Person, companyId: number, company: CompanyNames | undefined): boolean {
  if (employer.companyId === companyId) return true
  if (company === undefined) return false
  const { companyRef, names = [], sites = [] } = employer
  if (companyRef !== undefined && company.refs.has(companyRef)) return true
  if (names.some(name => company.names.has(withoutForm(name)))) return true
  return sites.some(site => {
    const reading = readDomain(site)
    return reading.ok && company.domains.has(reading.domain)
  })
}
