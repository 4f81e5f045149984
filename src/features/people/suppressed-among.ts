import { createHmac } from 'node:crypto'
import { readDomain } from '../../core/domain-name.ts'
import { foldedWords } from '../../core/fold-text.ts'
import { splitLegalForm } from '../../core/legal-name.ts'
import type { Database } from '../../database/open.ts'
import { signingSecret } from '../../database/signing-secret.ts'
import { emailKey, personNameKey, profileKey } from './person-handles.ts'
import { anySuppressed, type Employer, findSuppressions, readEmployers } from './suppression-store.ts'

export type Handle = 'email' | 'profile' | 'name'

/** Somebody who is about to be held, shown or delivered. */
export type Person = {
  name: string
  emails: readonly string[]
  profiles: readonly string[]
  /** For whom the person works, by whatever is known of it; one of these is enough. */
  employer: {
    /** Of the Company that answers. */
    companyId?: number | null
    companyRef?: string
    names?: readonly string[]
    /** Sites, as hosts or URLs. */
    sites?: readonly string[]
  }
}

const secretPurpose = 'suppression'
const digestsAtOnceMax = 5_000

export type Digester = (handle: Handle, key: string) => Buffer

/** Nobody can be read from a digest, nor be found by trying names, without this installation's secret. */
export async function openDigester(database: Database): Promise<Digester> {
  const secret = await signingSecret(database, secretPurpose)
  return (handle, key) => createHmac('sha256', secret).update(`${handle}\0${key}`).digest()
}

/** Which of these people are suppressed, in their order. */
export async function suppressedAmong(database: Database, people: readonly Person[]): Promise<boolean[]> {
  if (people.length === 0 || !(await anySuppressed(database))) return people.map(() => false)
  const digest = await openDigester(database)
  const handles = people.map(person => handlesOf(person, digest))
  const met = await meet(database, handles.flat())
  const companyIds = [...new Set([...met.values()].flatMap(ids => [...ids]).filter(id => id !== null))]
  const employers = companyIds.length === 0 ? [] : await readEmployers(database, companyIds)
  const byId = new Map(employers.map(employer => [employer.company_id, knownBy(employer)]))
  return people.map((person, index) =>
    (handles[index] as Hashed[]).some(({ place }) =>
      [...(met.get(place) ?? [])].some(id => id === null || worksFor(person, id, byId.get(id))),
    ),
  )
}

/** `place` tells digests apart in a map: bytes are no keys. */
type Hashed = { place: string; digest: Buffer }

function handlesOf({ name, emails, profiles }: Person, digest: Digester): Hashed[] {
  const keys: [Handle, string | null][] = [
    ['name', personNameKey(name)],
    ...emails.map((address): [Handle, string | null] => ['email', emailKey(address)]),
    ...profiles.map((address): [Handle, string | null] => ['profile', profileKey(address)]),
  ]
  return keys.flatMap(([handle, key]) => {
    if (key === null) return []
    const hashed = digest(handle, key)
    return [{ place: hashed.toString('base64'), digest: hashed }]
  })
}

/** The places that are suppressed, each with the Companies at which it is; null: anywhere. */
async function meet(
  database: Database,
  handles: readonly Hashed[],
): Promise<Map<string, Set<number | null>>> {
  const met = new Map<string, Set<number | null>>()
  const distinct = [...new Map(handles.map(({ place, digest }) => [place, digest])).values()]
  for (let start = 0; start < distinct.length; start += digestsAtOnceMax) {
    for (const { digest, company_id } of await findSuppressions(
      database,
      distinct.slice(start, start + digestsAtOnceMax),
    )) {
      const place = digest.toString('base64')
      met.set(place, (met.get(place) ?? new Set()).add(company_id))
    }
  }
  return met
}

type Known = { refs: Set<string>; names: Set<string>; domains: Set<string> }

function knownBy({ refs, names, domains }: Employer): Known {
  return {
    refs: new Set(refs),
    names: new Set(names.map(withoutForm).filter(name => name !== '')),
    domains: new Set(domains),
  }
}

/** The legal form does not count here: who asked to be forgotten at Alpha did not mean Alpha Ltd alone. */
const withoutForm = (name: string) => splitLegalForm(foldedWords(name)).stem.join(' ')

function worksFor({ employer }: Person, companyId: number, known: Known | undefined): boolean {
  if (employer.companyId === companyId) return true
  if (known === undefined) return false
  const { companyRef, names = [], sites = [] } = employer
  if (companyRef !== undefined && known.refs.has(companyRef)) return true
  if (names.some(name => known.names.has(withoutForm(name)))) return true
  return sites.some(site => {
    const reading = readDomain(site)
    return reading.ok && known.domains.has(reading.domain)
  })
}
