import type { ChangedEntry, ChangeSet, RegisterEventType } from '@baize/registers/changes'
import { derivedRef } from '../../core/ref.ts'
import type { Transaction } from '../../database/open.ts'
import { type RetractedSignal, readRetractedSignals } from './corrections-store.ts'
import type { RegisterChangeDraft } from './draft.ts'
import { numberSignals } from './number-signals-store.ts'

type Retraction = { stream: string; snapshotId: number; now: Date }

/**
 * Adds the opposite of each Signal of a discarded snapshot, the last first, and returns their number. A
 * client that applies them in order has the state before. Call this last in a transaction.
 */
export function retractSignals(tx: Transaction, { now, ...snapshot }: Retraction): Promise<number> {
  return numberSignals(tx, oppositesOf(readRetractedSignals(tx, snapshot), now))
}

async function* oppositesOf(
  signals: AsyncIterable<RetractedSignal>,
  now: Date,
): AsyncGenerator<RegisterChangeDraft, void> {
  for await (const signal of signals) yield oppositeOf(signal, now)
}

/**
 * The opposite of each event type. A status change reverses a revocation, because registers do not publish
 * that a license is restored.
 */
const opposites: Record<RegisterEventType, RegisterEventType> = {
  added_to_register: 'removed_from_register',
  returned_to_register: 'removed_from_register',
  removed_from_register: 'returned_to_register',
  revoked: 'published_status_changed',
  published_status_changed: 'published_status_changed',
  authorized_domains_changed: 'authorized_domains_changed',
  published_expiry_changed: 'published_expiry_changed',
  license_type_changed: 'license_type_changed',
  legal_entity_changed: 'legal_entity_changed',
}

/** Returns the opposite of a Signal. `occurredAt` stays, so that a range of days has both. */
function oppositeOf({ changeSets, ...signal }: RetractedSignal, now: Date): RegisterChangeDraft {
  const { content, publishedLegalName } = signal
  const before = Object.assign({}, ...changeSets.map(fieldsBefore)) as FieldsBefore
  const { legal_entity: name = publishedLegalName, ...ofLicense } = before
  return {
    ...signal,
    type: 'register_change',
    signalRef: derivedRef('sig', ['correction', signal.signalRef]),
    correctionOf: signal.signalRef,
    eventType: opposites[signal.eventType],
    publishedLegalName: name,
    formerLegalName: name === publishedLegalName ? null : publishedLegalName,
    headline: `Taken back: ${signal.headline}`,
    detectedAt: now,
    content: {
      ...content,
      license: content.license === null ? null : { ...content.license, ...ofLicense },
      authorized_domains: changeSets.reduce(domainsBefore, content.authorized_domains),
      change_set: oppositeChange(content.change_set, signal.eventType),
    },
  }
}

type FieldChange = { before: string | null; after: string | null }
type ChangedFields = Partial<Record<'status' | 'license_type' | 'expires_at' | 'legal_entity', FieldChange>>
type FieldsBefore = Partial<Record<keyof ChangedFields, string | null>>
type DomainsChange = { authorized_domains: { added: string[]; removed: string[] } }

const isEntry = (change: ChangeSet): change is ChangedEntry => 'published' in change
const isDomains = (change: ChangeSet): change is DomainsChange => 'authorized_domains' in change
const isRecord = (change: ChangeSet) => 'before' in change || 'after' in change

function fieldsBefore(change: ChangeSet): FieldsBefore {
  if (isEntry(change) || isDomains(change) || isRecord(change)) return {}
  const fields = Object.entries(change as ChangedFields)
  return Object.fromEntries(fields.map(([field, { before }]) => [field, before]))
}

function domainsBefore(domains: string[], change: ChangeSet): string[] {
  if (!isDomains(change)) return domains
  const { added, removed } = change.authorized_domains
  return [...domains.filter(domain => !added.includes(domain)), ...removed].sort()
}

function oppositeChange(change: ChangeSet, eventType: RegisterEventType): ChangeSet {
  if (isEntry(change))
    return eventType === 'removed_from_register' ? { ...change, delisted_at: null } : change
  if (isDomains(change)) {
    const { added, removed } = change.authorized_domains
    return { authorized_domains: { added: removed, removed: added } }
  }
  if ('before' in change) return { after: change.before as never }
  if ('after' in change) return { before: change.after as never }
  const fields = Object.entries(change as ChangedFields)
  return Object.fromEntries(
    fields.map(([field, { before, after }]) => [field, { before: after, after: before }]),
  )
}
