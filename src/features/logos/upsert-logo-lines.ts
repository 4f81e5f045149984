import type { Transaction } from '../../database/open.ts'
import { type LogoKind, subjectKeyOf } from './kinds.ts'
import {
  insertLogos,
  readStoredLogos,
  type StoredLogoRow,
  updateImportedSubjects,
  updateLogos,
} from './logo-lines-store.ts'
import { nameKey } from './name-key.ts'
import { rebuildLogoSubjects } from './rebuild-subjects.ts'
import { type ImportedLogo, type Outcome, reconcileLogos } from './reconcile-logos.ts'
import { findSubjects, insertSubjects, type StoredSubject } from './subjects-store.ts'

export type LogoLine = {
  kind: LogoKind
  slug: string
  name: string
  domain_id: number | null
  role: string[]
  logo: ImportedLogo | null
}

/** Upserts logo lines. It expects all lines of each subject, in order; the last one describes the subject. */
export async function upsertLogoLines(
  tx: Transaction,
  lines: readonly LogoLine[],
  now: Date,
): Promise<Outcome[]> {
  // The Companies of the same import must have their subjects first.
  await rebuildLogoSubjects(tx)
  const subjects = await upsertSubjects(tx, [
    ...new Map(lines.map(line => [subjectKeyOf(line), line])).values(),
  ])
  const ids = [...subjects.values()].map(subject => subject.id)
  const stored = Map.groupBy(await readStoredLogos(tx, ids), logo => logo.subject_id)
  const inserts: Parameters<typeof insertLogos>[1][number][] = []
  const updates: StoredLogoRow[] = []
  const outcomes = new Map<LogoLine, Outcome>()
  for (const [key, ofSubject] of Map.groupBy(lines, subjectKeyOf)) {
    const { id, outcome } = subjects.get(key) as UpsertedSubject
    const withLogo = ofSubject.filter(line => line.logo !== null)
    const logos = withLogo.map(line => line.logo as ImportedLogo)
    const reconciled = reconcileLogos(stored.get(id) ?? [], logos, now.getTime())
    inserts.push(...reconciled.inserts.map(logo => ({ ...logo, subject_id: id })))
    updates.push(...reconciled.updates)
    for (const line of ofSubject) outcomes.set(line, line === ofSubject.at(-1) ? outcome : 'unchanged')
    for (const [index, line] of withLogo.entries())
      outcomes.set(line, combined(reconciled.outcomes[index] as Outcome, outcomes.get(line) as Outcome))
  }
  await updateLogos(tx, updates)
  await insertLogos(tx, inserts)
  return lines.map(line => outcomes.get(line) as Outcome)
}

function combined(logo: Outcome, subject: Outcome): Outcome {
  if (logo === 'added') return 'added'
  return subject === 'unchanged' ? logo : 'changed'
}

type UpsertedSubject = { id: number; outcome: Outcome }

async function upsertSubjects(
  tx: Transaction,
  lines: readonly LogoLine[],
): Promise<Map<string, UpsertedSubject>> {
  const keyed = lines.map(line => ({ ...line, ...nameKey(line.name) }))
  const stored = await findSubjects(tx, keyed, { free: false })
  const bySlug = new Map(stored.map(subject => [subjectKeyOf(subject), subject]))
  const claimed = new Set(keyed.map(line => bySlug.get(subjectKeyOf(line))?.id))
  const byName = Map.groupBy(
    stored.filter(subject => subject.stated_name === null && !claimed.has(subject.id)),
    subject => `${subject.kind}/${subject.name_folded}`,
  )
  const matches: { line: (typeof keyed)[number]; subject: StoredSubject }[] = []
  const added: typeof keyed = []
  for (const line of keyed) {
    const ofName = byName.get(`${line.kind}/${line.folded}`) ?? []
    byName.delete(`${line.kind}/${line.folded}`)
    const subject = bySlug.get(subjectKeyOf(line)) ?? (ofName.length === 1 ? ofName[0] : undefined)
    if (subject === undefined) added.push(line)
    else matches.push({ line, subject })
  }
  const changed = matches.filter(({ line, subject }) => differs(line, subject))
  await updateImportedSubjects(
    tx,
    changed.map(({ line, subject }) => ({ ...line, id: subject.id })),
  )
  const ids = await insertSubjects(
    tx,
    added.map(line => ({ ...line, stated_name: line.name })),
  )
  return new Map([
    ...matches.map(
      ({ line, subject }) =>
        [subjectKeyOf(line), { id: subject.id, outcome: outcomeOf(line, subject) }] as const,
    ),
    ...ids.entries().map(([key, id]) => [key, { id, outcome: 'added' }] as const),
  ])
}

function outcomeOf(line: LogoLine, subject: StoredSubject): Outcome {
  if (!differs(line, subject)) return 'unchanged'
  return subject.stated_name === null ? 'added' : 'changed'
}

function differs(line: LogoLine, { slug, stated_name, domain_id, role }: StoredSubject): boolean {
  const imported = JSON.stringify([line.slug, line.name, line.domain_id, line.role])
  return imported !== JSON.stringify([slug, stated_name, domain_id, role])
}
