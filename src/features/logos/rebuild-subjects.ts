import { slugOf, slugWithDigest } from '@baize/names'
import { isLockTimeout } from '@baize/postgres'
import type { Transaction, World } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'
import { type LogoKind, subjectKeyOf } from './kinds.ts'
import { nameKey } from './name-key.ts'
import {
  analyseNames,
  deleteUnnamedSubjects,
  dequeueStaleCompanies,
  findSubjects,
  type GivenName,
  insertSubjects,
  type LogoSubjectNames,
  type NewSubject,
  placeNames,
  readRenamedSubjects,
  readUnplaced,
  renameSubjects,
  type StoredSubject,
  type UnplacedName,
  writeCompanyNames,
} from './subjects-store.ts'
import { countQueuedNames } from './verify-subjects-store.ts'

const companiesAtOnce = 1_000
const namesAtOnce = 2_000

/** Rebuilds the subjects of changed names. Each transaction that changes facts calls this at its end. */
export async function rebuildLogoSubjects(tx: Transaction): Promise<void> {
  const touched = new Set<number>()
  let analysed = false
  for (;;) {
    const companies = await dequeueStaleCompanies(tx, companiesAtOnce)
    if (companies.length === 0) break
    const ids = companies.map(company => company.id)
    for (const id of await writeCompanyNames(tx, ids, companies.flatMap(namesGivenBy))) touched.add(id)
    if (!analysed && companies.length === companiesAtOnce) {
      await analyseNames(tx)
      analysed = true
    }
  }
  for (;;) {
    const names = await readUnplaced(tx, namesAtOnce)
    if (names.length === 0) break
    for (const id of await place(tx, names)) touched.add(id)
  }
  const ids = [...touched]
  for (let start = 0; start < ids.length; start += namesAtOnce)
    await refreshNames(tx, ids.slice(start, start + namesAtOnce))
}

/** Rebuilds the subjects of names that a migration queued, unless a running writer does so. */
export async function catchUpLogoSubjects({ database }: World): Promise<void> {
  if ((await countQueuedNames(database)) === 0) return
  try {
    await database.transaction().execute(async tx => {
      await lockFacts(tx)
      await rebuildLogoSubjects(tx)
    })
  } catch (error) {
    if (!isLockTimeout(error)) throw error
  }
}

export function namesGivenBy(company: LogoSubjectNames): GivenName[] {
  if (company.merged) return []
  const own = company.company_name
  const brandKind = kindOfBrands(company.role.filter(role => role !== 'unknown'))
  const brands = new Set(company.brands.filter(isName))
  return [
    ...(own !== null && isName(own) ? [{ kind: 'company' as const, company_id: company.id, name: own }] : []),
    ...[...brands].map(name => ({ kind: brandKind, company_id: company.id, name })),
  ]
}

function kindOfBrands(roles: readonly string[]): LogoKind {
  if (roles.length === 0 || roles.includes('operator')) return 'operator_brand'
  return roles.every(role => role === 'payment_provider') ? 'payment_method' : 'supplier_brand'
}

const isName = (text: string) => text.trim() !== ''

async function refreshNames(tx: Transaction, subjectIds: readonly number[]): Promise<void> {
  await deleteUnnamedSubjects(tx, subjectIds)
  const renamed = await readRenamedSubjects(tx, subjectIds)
  await renameSubjects(
    tx,
    renamed.map(({ id, name }) => ({ id, name, ...nameKey(name) })),
  )
}

type Placing = UnplacedName & { slug: string; folded: string; joined: string }
type Place = number | NewSubject

async function place(tx: Transaction, names: readonly UnplacedName[]): Promise<number[]> {
  const placings = names.map((name): Placing => ({ ...name, slug: slugOf(name.name), ...nameKey(name.name) }))
  const keys = placings.flatMap(({ kind, folded, ...name }) =>
    slugsOf(name).map(slug => ({ kind, slug, folded })),
  )
  const allocator = new SubjectAllocator(await findSubjects(tx, keys, { free: true }))
  const places = placings.map(name => ({ id: name.id, place: allocator.placeOf(name) }))
  const made = await insertSubjects(tx, allocator.made)
  const idOf = (subject: Place) =>
    typeof subject === 'number' ? subject : (made.get(subjectKeyOf(subject)) as number)
  await placeNames(
    tx,
    places.map(({ id, place: subject }) => ({ id, subject_id: idOf(subject) })),
  )
  const first = new Set<Place>()
  return places
    .filter(({ place: subject }) => typeof subject === 'number' || first.size === first.add(subject).size)
    .map(({ place: subject }) => idOf(subject))
}

/** Returns the possible slugs. The second is used if another Company of the same name has the first. */
function slugsOf({ slug, company_ref }: { slug: string; company_ref: string | null }): string[] {
  return company_ref === null ? [slug] : [slug, slugWithDigest(slug, company_ref)]
}

/** Assigns subjects to names. Brands of one name share a subject; each Company has its own. */
class SubjectAllocator {
  readonly made: NewSubject[] = []
  readonly #bySlug = new Map<string, StoredSubject | NewSubject>()
  readonly #byName = new Map<string, StoredSubject[]>()
  readonly #takenIds = new Set<number>()

  constructor(stored: readonly StoredSubject[]) {
    for (const subject of stored) {
      this.#bySlug.set(subjectKeyOf(subject), subject)
      const key = `${subject.kind}/${subject.name_folded}`
      this.#byName.set(key, [...(this.#byName.get(key) ?? []), subject])
      if (subject.hasCompany) this.#takenIds.add(subject.id)
    }
  }

  placeOf(name: Placing): Place {
    const { kind, folded } = name
    const slugs = kind === 'company' ? slugsOf(name) : [name.slug]
    const candidates = [
      ...slugs.map(slug => this.#bySlug.get(subjectKeyOf({ kind, slug }))),
      ...(this.#byName.get(`${kind}/${folded}`) ?? []),
    ]
    const match = candidates.find(subject => subject !== undefined && this.#isFree(kind, subject))
    if (match === undefined) return this.#make(name, slugs)
    if (!('id' in match)) return match
    if (kind === 'company') this.#takenIds.add(match.id)
    return match.id
  }

  #isFree(kind: LogoKind, subject: StoredSubject | NewSubject): boolean {
    return kind !== 'company' || ('id' in subject && !this.#takenIds.has(subject.id))
  }

  #make({ kind, name, folded, joined }: Placing, slugs: readonly string[]): NewSubject {
    // The third slug is needed only if an import gave the first two to other subjects.
    const third = slugWithDigest(slugs.join('-'), folded)
    const slug =
      [...slugs, third].find(each => !this.#bySlug.has(subjectKeyOf({ kind, slug: each }))) ?? third
    const subject = { kind, slug, name, folded, joined }
    this.#bySlug.set(subjectKeyOf(subject), subject)
    this.made.push(subject)
    return subject
  }
}
