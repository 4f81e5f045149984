import type { Static, TObject, TProperties } from 'typebox'
import type { FailureCode } from '../../../core/failure.ts'
import type { JsonText } from '../../../core/json-text.ts'
import type { DemoTemplate } from '../../../core/operation.ts'
import type { World } from '../../../database/open.ts'
import type { PriceKey } from '../../../metering/pricing.ts'
import type { PageRequest, ResultRow } from '../contract.ts'
import type { FoundPage } from './find-page.ts'

/** Validated filters by parameter; `canonical` normalises them. */
export type SearchFilters = { q?: string; domain?: string; [name: string]: string | boolean | undefined }

type OperationTexts = {
  name: string
  path: `/v1/${string}`
  section: string
  summary: string
  description: string
  demo: readonly DemoTemplate[]
  example: unknown
}

/** `declareSearch` makes the free preview and the paid search of a subject from it. */
export type SearchDeclaration<
  Found extends FoundPage,
  Sample extends TObject,
  Members extends TProperties,
> = {
  tag: string
  /** In descriptions: `All licenses that match.` */
  plural: string
  price: PriceKey
  /** Prefix of the cursors; must change with the order of rows. */
  feed: string
  canonical(input: SearchFilters): SearchFilters
  find(world: World, filters: SearchFilters, page: PageRequest): Promise<Found>
  hit: TObject
  writeHit(row: ResultRow, found: NoInfer<Found>): JsonText
  sample: Sample
  sampleOf(row: ResultRow, found: NoInfer<Found>): Static<Sample>
  members: Members
  membersOf(found: NoInfer<Found>, filters: SearchFilters, isPaid: boolean): Static<TObject<Members>>
  search: OperationTexts & {
    filters: TProperties
    echo: TObject
    /** Whether a filter reveals paid facts by the number of rows (decision 10). */
    hasPaidFilter(filters: SearchFilters): boolean
  }
  preview: OperationTexts & {
    filters: TProperties
    echo: TObject
    failures: readonly FailureCode[]
    check(world: World, filters: SearchFilters): Promise<void>
  }
}
