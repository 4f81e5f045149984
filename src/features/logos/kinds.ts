/** Who may have a logo (§2.12), in the order of the specification. */
export const logoKinds = ['operator_brand', 'company', 'supplier_brand', 'payment_method', 'game'] as const
export type LogoKind = (typeof logoKinds)[number]

/** Where an image comes from, the one that is believed most first. */
export const logoSources = ['business_profile', 'website', 'catalog'] as const
export type LogoSource = (typeof logoSources)[number]

export const logoStatuses = ['current', 'superseded', 'withdrawn', 'rejected'] as const
export type LogoStatus = (typeof logoStatuses)[number]

/** Variants and themes are words of whoever keeps the logos; these two are what an image is where nothing is said. */
export const defaultVariant = 'logo'
export const defaultTheme = 'light'
export const wordPattern = '^[a-z0-9]+([_-][a-z0-9]+)*$'
export const wordCharactersMax = 64
