import { readDataFile } from '../read-data-file.ts'

/** The site of a brand, as a public source stated it on `source_day`. */
export type BrandDomainEntry = {
  market: string
  /** The brand as the register prints it. */
  brand: string
  domain: string
  source_url: string
  source_day: string
}

type Source = {
  domain: string
  source_url: string
  source_day: string
  brands: Record<string, string>
}

const written = readDataFile<Source[]>(new URL('shipped-brand-domains.yaml', import.meta.url))

/** Rows that public sources state. They are proposals: staff approve each one before it licenses a site. */
export const shippedBrandDomains: readonly BrandDomainEntry[] = written.flatMap(({ brands, ...source }) =>
  Object.entries(brands).map(([market, brand]) => ({ market, brand, ...source })),
)
