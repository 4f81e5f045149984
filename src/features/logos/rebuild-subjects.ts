import { slugOf, slugWithDigest } from '../../core/slug.ts'
import { isLockTimeout } from '../../database/errors.ts'
import type { Transaction, World } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'
import { namesGivenBy } from './given-names.ts'
import type { LogoKind } from './kinds.ts'
import { nameKey } from './name-key.ts'
import {
  analyseNames,
  dequeueStaleCompanies,
  findSubjects,
  insertSubjects,
  type NewSubject,
  placeNames,
  readUnplaced,
  renameSubjects,
  type StoredSubject,
  settleSubjects,
  type UnplacedName,
  writeCompanyNames,
} from './subjects-store.ts'
import { countNoted } from './verify-subjects-store.ts'

const companiesAtOnce = 1_000
const namesAtOnce = 2_000

/**
 * Brings the subjects up to date with the names that this transaction changed: triggers noted them. Called before a
 * transaction that changed facts ends; where nothing was noted it is two look-ups.
 */
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
    await settle(tx, ids.slice(start, start + namesAtOnce))
}

/** For a start: what a migration has noted waits for no writer. Where one is at work already, it takes that up. */
export async function catchUpLogoSubjects({ database }: World): Promise<void> {
  if ((await countNoted(database)) === 0) return
  try {
    await database.transaction().execute(async tx => {
      await lockFacts(tx)
      await rebuildLogoSubjects(tx)
    })
  } catch (error) {
    if (!isLockTimeout(error)) throw error
  }
}

/** What subjects are called follows from their names; those that nobody names leave. */
export async function settle(tx: Transaction, subjectIds: readonly number[]): Promise<void> {
  const renamed = await settleSubjects(tx, subjectIds)
  await renameSubjects(
    tx,
    renamed.map(({ id, name }) => ({ id, name, ...nameKey(name) })),
  )
}

type Placing = UnplacedName & { slug: string; folded: string; joined: string }
type Place = number | NewSubject

/** Gives each name its subject, in their order, and answers the subjects that have several now. */
async function place(tx: Transaction, names: readonly UnplacedName[]): Promise<number[]> {
  const wanted = names.map((name): Placing => ({ ...name, slug: slugOf(name.name), ...nameKey(name.name) }))
  const sought = wanted.flatMap(({ kind, folded, ...name }) =>
    slugsOf(name).map(slug => ({ kind, slug, folded })),
  )
  const book = new SubjectBook(await findSubjects(tx, sought, { free: true }))
  const places = wanted.map(name => ({ id: name.id, place: book.placeOf(name) }))
  const made = await insertSubjects(tx, book.made)
  const idOf = (subject: Place) =>
    typeof subject === 'number' ? subject : (made.get(`${subject.kind}/${subject.slug}`) as number)
  await placeNames(
    tx,
    places.map(({ id, place: subject }) => ({ id, subject_id: idOf(subject) })),
  )
  const first = new Set<Place>()
  return places
    .filter(({ place: subject }) => typeof subject === 'number' || first.size === first.add(subject).size)
    .map(({ place: subject }) => idOf(subject))
}

/** The slug of a name, and for a Company the one that tells it from another of its name. */
function slugsOf({ slug, company_ref }: { slug: string; company_ref: string | null }): string[] {
  return company_ref === null ? [slug] : [slug, slugWithDigest(slug, company_ref)]
}

/** Which subject bears a name. Brands and what sites show are one thing for one name; of Companies each is its own. */
class SubjectBook {
  readonly made: NewSubject[] = []
  readonly #bySlug = new Map<string, StoredSubject | NewSubject>()
  readonly #byName = new Map<string, StoredSubject[]>()
  readonly #takenIds = new Set<number>()

  constructor(held: readonly StoredSubject[]) {
    for (const subject of held) {
      this.#bySlug.set(`${subject.kind}/${subject.slug}`, subject)
      const key = `${subject.kind}/${subject.name_folded}`
      this.#byName.set(key, [...(this.#byName.get(key) ?? []), subject])
      if (subject.taken) this.#takenIds.add(subject.id)
    }
  }

  /** The id of a subject that is held, or one that is to be made. */
  placeOf(name: Placing): Place {
    const { kind, folded } = name
    const slugs = kind === 'company' ? slugsOf(name) : [name.slug]
    const known = [
      ...slugs.map(slug => this.#bySlug.get(`${kind}/${slug}`)),
      ...(this.#byName.get(`${kind}/${folded}`) ?? []),
    ]
    const fitting = known.find(subject => subject !== undefined && this.#isFree(kind, subject))
    if (fitting === undefined) return this.#make(name, slugs)
    if (!('id' in fitting)) return fitting
    if (kind === 'company') this.#takenIds.add(fitting.id)
    return fitting.id
  }

  #isFree(kind: LogoKind, subject: StoredSubject | NewSubject): boolean {
    return kind !== 'company' || ('id' in subject && !this.#takenIds.has(subject.id))
  }

  #make({ kind, name, folded, joined }: Placing, slugs: readonly string[]): NewSubject {
    // Past the two of its own only where a file gave both to others.
    const more = slugWithDigest(slugs.join('-'), folded)
    const slug = [...slugs, more].find(each => !this.#bySlug.has(`${kind}/${each}`)) ?? more
    const subject = { kind, slug, name, folded, joined }
    this.#bySlug.set(`${kind}/${slug}`, subject)
    this.made.push(subject)
    return subject
  }
}
