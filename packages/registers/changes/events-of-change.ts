import { readPublishedEntry, statusLicenses } from '../entries/index.ts'
import type { Stream } from '../stream.ts'
import type { ChangedEntry, ChangeSet, PublishedLicense, RegisterEvent, RegisterEventType } from './event.ts'
import type { EntryState, RecordChange, RecordState } from './record-change.ts'

/** The two snapshots that a change lies between. */
export type Between = {
  stream: Stream
  takenAt: Date
  previousTakenAt: Date
  /** The domains of rows that differ only in a holder that other rows name. */
  inferredDomains: ReadonlySet<string>
}

/** Returns at most one event of each type, in the order of §6. */
export function eventsOfChange(change: RecordChange, between: Between): RegisterEvent[] {
  return change.kind === 'blocklist_entry'
    ? entryEvents(change).map(event => eventOfEntry(event, between))
    : recordEvents(change, between).map(event => eventOfRecord(change, event, between))
}

type RecordEvent = { type: RegisterEventType; changeSet: ChangeSet }
type OfRecord = Exclude<RecordChange, { kind: 'blocklist_entry' }>
type OfEntry = Extract<RecordChange, { kind: 'blocklist_entry' }>

/**
 * Returns one event for a record that is added, removed or returned, domains included (contract section 9).
 */
function recordEvents(
  { before, after, wasListedBefore }: OfRecord,
  { stream, inferredDomains }: Between,
): RecordEvent[] {
  if (before === null && after === null) return []
  if (before === null) {
    const type = wasListedBefore ? 'returned_to_register' : 'added_to_register'
    return [{ type, changeSet: { after: changeSetOf(after as RecordState) } }]
  }
  if (after === null) return [{ type: 'removed_from_register', changeSet: { before: changeSetOf(before) } }]
  const isRevoked = stream.publishes.revoked && after.status === 'revoked' && before.status !== 'revoked'
  return [
    ...fieldChange(isRevoked ? 'revoked' : 'published_status_changed', 'status', before, after),
    ...domainsChange(before, after, inferredDomains),
    ...fieldChange('published_expiry_changed', 'expires_at', before, after),
    ...fieldChange('license_type_changed', 'license_type', before, after),
    ...fieldChange('legal_entity_changed', 'legal_entity', before, after),
  ]
}

type SignalField = 'status' | 'expires_at' | 'license_type' | 'legal_entity'

function fieldChange(
  type: RegisterEventType,
  field: SignalField,
  before: RecordState,
  after: RecordState,
): RecordEvent[] {
  const [was, is] = [before[field] ?? null, after[field] ?? null]
  return was === is ? [] : [{ type, changeSet: { [field]: { before: was, after: is } } }]
}

/** Ignores the domain of an unchanged row, even if its inferred holder changed. */
function domainsChange(
  before: RecordState,
  after: RecordState,
  inferred: ReadonlySet<string>,
): RecordEvent[] {
  const [had, has] = [new Set(before.authorized_domains), new Set(after.authorized_domains)]
  const added = [...has].filter(domain => !had.has(domain) && !inferred.has(domain))
  const removed = [...had].filter(domain => !has.has(domain) && !inferred.has(domain))
  if (added.length === 0 && removed.length === 0) return []
  return [{ type: 'authorized_domains_changed', changeSet: { authorized_domains: { added, removed } } }]
}

function changeSetOf({ trading_names: _, role: __, domain: ___, published: ____, ...fields }: RecordState) {
  return fields
}

type EntryEvent = { type: RegisterEventType; entry: EntryState }

/** Returns both events for an entry that was listed and delisted between two snapshots. */
function entryEvents({ before, after, wasListedBefore }: OfEntry): EntryEvent[] {
  const addedType = wasListedBefore ? 'returned_to_register' : 'added_to_register'
  const wasListed = before?.listed ?? false
  const isListed = after?.listed ?? false
  if (!wasListed && isListed) return [{ type: addedType, entry: after as EntryState }]
  if (wasListed && !isListed)
    return [{ type: 'removed_from_register', entry: after ?? (before as EntryState) }]
  if (before === null && after !== null) {
    return [
      { type: addedType, entry: after },
      { type: 'removed_from_register', entry: after },
    ]
  }
  return []
}

function eventOfRecord(change: OfRecord, event: RecordEvent, between: Between): RegisterEvent {
  const { stream } = between
  const state = (change.after ?? change.before) as RecordState
  const isAdded = event.type === 'added_to_register' || event.type === 'returned_to_register'
  return {
    eventType: event.type,
    occurredAt: occurredAt(isAdded ? (state.issued_at ?? null) : null, between),
    isMarketEntry:
      isAdded &&
      change.kind === 'license' &&
      state.role === 'operator' &&
      isNewLicense(change, state, between),
    publishedLegalName: state.legal_entity,
    formerLegalName: formerName(change),
    headline: headlineOf(change, event, state, stream),
    content: {
      license: change.kind === 'license' ? licenseOf(state) : null,
      role: state.role ?? null,
      brand: state.trading_names.length === 1 ? (state.trading_names[0] as string) : null,
      authorized_domains: state.authorized_domains,
      change_set: event.changeSet,
      source_url: state.source_url ?? stream.officialUrl,
      observed_at: between.takenAt.toISOString(),
    },
  }
}

function formerName({ before, after }: OfRecord): string | null {
  return before !== null && after !== null && before.legal_entity !== after.legal_entity
    ? before.legal_entity
    : null
}

/** A license whose issue was published longer ago than this was missing from the register, not new. */
const issuedDaysMax = 180
const dayMs = 24 * 60 * 60_000

/**
 * Returns whether a license was never stored before, is in force (as for a verdict), and was not issued
 * long before.
 */
function isNewLicense(
  { wasListedBefore, wasKnown }: OfRecord,
  { status = null, issued_at = null, expires_at = null }: RecordState,
  { takenAt, previousTakenAt }: Between,
): boolean {
  const today = takenAt.toISOString().slice(0, 10)
  const isInForce = status === null ? expires_at === null || expires_at >= today : statusLicenses(status)
  const issuedMin = previousTakenAt.getTime() - issuedDaysMax * dayMs
  const isRecent = issued_at === null || new Date(issued_at).getTime() >= issuedMin
  return !wasListedBefore && !wasKnown && isInForce && isRecent
}

function eventOfEntry({ type, entry }: EntryEvent, between: Between): RegisterEvent {
  const { stream } = between
  const ownDate = type === 'removed_from_register' ? entry.delisted_at : entry.listed_at
  const verb = type === 'removed_from_register' ? 'removed from' : 'listed on'
  const again = type === 'returned_to_register' ? ' again' : ''
  return {
    eventType: type,
    occurredAt: occurredAt(ownDate, between),
    isMarketEntry: false,
    publishedLegalName: null,
    formerLegalName: null,
    headline: `${whatIsBlocked(entry)} ${verb} the blocklist of ${stream.regulator}${again}`,
    content: {
      license: null,
      role: null,
      brand: null,
      authorized_domains: [],
      change_set: publishedEntry(entry),
      source_url: stream.officialUrl,
      observed_at: between.takenAt.toISOString(),
    },
  }
}

/** Returns the host or page, because a blocked page does not block its site. */
function whatIsBlocked({ domain, published }: EntryState): string {
  return domain === null ? published : (asPublished(domain, published)?.key ?? published)
}

/** Returns the published text of a domain, normalised, or null unless it belongs to that domain. */
function asPublished(domain: string, published: string) {
  const entry = readPublishedEntry(published)
  return entry.ok && entry.domain === domain ? entry : null
}

/** Returns the register's date if it lies between the two snapshots, otherwise the time of the snapshot. */
function occurredAt(ownDate: string | null, { takenAt, previousTakenAt }: Between): Date {
  const own = ownDate === null ? null : new Date(ownDate)
  return own !== null && own > previousTakenAt && own <= takenAt ? own : takenAt
}

function licenseOf(state: RecordState): PublishedLicense {
  return {
    license_number: state.license_number ?? null,
    license_type: state.license_type ?? null,
    status: state.status ?? null,
    issued_at: state.issued_at ?? null,
    expires_at: state.expires_at ?? null,
    source_url: state.source_url ?? null,
  }
}

function publishedEntry({ domain, published, scope, listed_at, delisted_at }: EntryState): ChangedEntry {
  const iso = (time: string | null) => (time === null ? null : new Date(time).toISOString())
  return { domain, published, scope, listed_at: iso(listed_at), delisted_at: iso(delisted_at) }
}

const verbs: Record<RegisterEventType, string> = {
  added_to_register: 'added to the register of',
  removed_from_register: 'removed from the register of',
  returned_to_register: 'returned to the register of',
  revoked: 'revoked on the register of',
  authorized_domains_changed: 'authorised domains changed on the register of',
  published_expiry_changed: 'expiry changed on the register of',
  license_type_changed: 'type changed on the register of',
  legal_entity_changed: 'legal entity changed on the register of',
  published_status_changed: 'status changed on the register of',
}

function headlineOf(
  change: OfRecord,
  { type }: RecordEvent,
  state: RecordState,
  { regulator }: Stream,
): string {
  const license =
    change.kind === 'license' && state.license_number != null ? ` (license ${state.license_number})` : ''
  const statusText = type === 'published_status_changed' ? ` to ${state.status ?? 'none'}` : ''
  return `${nameOf(state)}${license}: ${verbs[type]} ${regulator}${statusText}`
}

/** Returns a name for people. It is never the record key, which is internal. */
function nameOf({ legal_entity, domain, published }: RecordState): string {
  if (legal_entity !== null) return legal_entity
  if (domain === undefined) return 'an unnamed licensee'
  return asPublished(domain, published ?? domain)?.host ?? domain
}
