/** Declares Signals before they are numbered. */
import type { RecordKind } from '@baize/registers'
import type { RegisterEvent } from '@baize/registers/changes'

export const feedNames = ['register_changes', 'market_entries', 'platform_sites'] as const
export type FeedName = (typeof feedNames)[number]

export const platformEventType = 'platform_first_observed' as const

export type RegisterChangeDraft = RegisterEvent & {
  type: 'register_change'
  signalRef: string
  stream: string
  market: string
  recordKind: RecordKind
  recordKey: string
  companyId: number | null
  licenseId: number | null
  detectedAt: Date
  snapshotId: number
  /** The ref of the Signal that this one reverses, if any. */
  correctionOf?: string
  /** Is true for a snapshot that was read as history; false by default. */
  isBackfill?: boolean
}

export type PlatformSiteDraft = {
  type: 'platform_new_site'
  signalRef: string
  eventType: typeof platformEventType
  platformId: number
  domainId: number
  companyId: number
  headline: string
  occurredAt: Date
  detectedAt: Date
  content: { brand: string | null; source_url: string | null }
}

export type SignalDraft = RegisterChangeDraft | PlatformSiteDraft
