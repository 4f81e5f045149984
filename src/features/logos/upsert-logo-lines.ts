import type { Transaction } from '../../database/open.ts'
import type { LogoKind } from './kinds.ts'
import {
  insertLogos,
  insertStated,
  readStoredLogos,
  type StoredLogoRow,
  updateLogos,
  updateStated,
} from './logo-lines-store.ts'
import { nameKey } from './name-key.ts'
import { rebuildLogoSubjects } from './rebuild-subjects.ts'
import { type ImportedLogo, type Outcome, reconcileLogos } from './reconcile-logos.ts'
import { findSubjects, type StoredSubject } from './subjects-store.ts'

/** What a line of a file says of a subject, and of one of its images; null: it states the subject alone. */
export type LogoLine = {
  kind: LogoKind
  slug: string
  name: string
  domain_id: number | null
  role: string[]
  logo: ImportedLogo | null
}

/**
 * Writes down what lines say of subjects and their logos: all the lines of these subjects, in their order; of what they
 * say of a subject itself the last stands. Answers what became of each line.
 */
export async function upsertLogoLines(
  tx: Transaction,
  lines: readonly LogoLine[],
  now: Date,
): Promise<Outcome[]> {
  // Companies that came with the same files are known before a file states them.
  await rebuildLogoSubjects(tx)
  const subjects = [...new Map(lines.map(line => [keyOf(line), line])).values()]
  const stated = await stateSubjects(tx, subjects)
  const held = Map.groupBy(
    await readStoredLogos(
      tx,
      [...stated.values()].map(subject => subject.id),
    ),
    logo => logo.subject_id,
  )
  const inserts: Parameters<typeof insertLogos>[1][number][] = []
  const updates: StoredLogoRow[] = []
  const outcomes = new Map<LogoLine, Outcome>()
  for (const [key, said] of Map.groupBy(lines, keyOf)) {
    const { id, outcome } = stated.get(key) as StatedSubject
    const withLogo = said.filter(line => line.logo !== null)
    const judged = reconcileLogos(
      held.get(id) ?? [],
      withLogo.map(line => line.logo as ImportedLogo),
      now.getTime(),
    )
    inserts.push(...judged.inserts.map(logo => ({ ...logo, subject_id: id })))
    updates.push(...judged.updates)
    for (const line of said) outcomes.set(line, line === said.at(-1) ? outcome : 'unchanged')
    for (const [index, line] of withLogo.entries())
      outcomes.set(line, combined(judged.outcomes[index] as Outcome, outcomes.get(line) as Outcome))
  }
  await updateLogos(tx, updates)
  await insertLogos(tx, inserts)
  return lines.map(line => outcomes.get(line) as Outcome)
}

const keyOf = ({ kind, slug }: { kind: string; slug: string }) => `${kind}/${slug}`

/** A line with an image is as new as the image; what it says of a subject that is known changes it. */
function combined(logo: Outcome, subject: Outcome): Outcome {
  if (logo === 'added') return 'added'
  return subject === 'unchanged' ? logo : 'changed'
}

type StatedSubject = { id: number; outcome: Outcome }

/**
 * The subject of a kind and slug; or else the one of that name, where there is one and no file has stated it: it takes the
 * slug. Or else a new one.
 */
async function stateSubjects(
  tx: Transaction,
  lines: readonly LogoLine[],
): Promise<Map<string, StatedSubject>> {
  const wanted = lines.map(line => ({ ...line, ...nameKey(line.name) }))
  const held = await findSubjects(tx, wanted, { free: false })
  const bySlug = new Map(held.map(subject => [keyOf(subject), subject]))
  const claimed = new Set(wanted.map(line => bySlug.get(keyOf(line))?.id))
  const byName = Map.groupBy(
    held.filter(subject => subject.stated_name === null && !claimed.has(subject.id)),
    subject => `${subject.kind}/${subject.name_folded}`,
  )
  const known: { id: number; line: (typeof wanted)[number]; held: StoredSubject }[] = []
  const fresh: typeof wanted = []
  for (const line of wanted) {
    const ofName = byName.get(`${line.kind}/${line.folded}`) ?? []
    byName.delete(`${line.kind}/${line.folded}`)
    const found = bySlug.get(keyOf(line)) ?? (ofName.length === 1 ? ofName[0] : undefined)
    if (found === undefined) fresh.push(line)
    else known.push({ id: found.id, line, held: found })
  }
  const changed = known.filter(({ line, held: subject }) => isNews(line, subject))
  await updateStated(
    tx,
    changed.map(({ id, line }) => ({ ...line, id })),
  )
  const made = await insertStated(tx, fresh)
  return new Map([
    ...known.map(({ id, line, held: subject }): [string, StatedSubject] => {
      const outcome = !isNews(line, subject)
        ? 'unchanged'
        : subject.stated_name === null
          ? 'added'
          : 'changed'
      return [keyOf(line), { id, outcome }]
    }),
    ...fresh.map((line): [string, StatedSubject] => [
      keyOf(line),
      { id: made.get(keyOf(line)) as number, outcome: 'added' },
    ]),
  ])
}

function isNews(line: LogoLine, { slug, stated_name, domain_id, role }: StoredSubject): boolean {
  const stated = JSON.stringify([line.slug, line.name, line.domain_id, line.role])
  return stated !== JSON.stringify([slug, stated_name, domain_id, role])
}
