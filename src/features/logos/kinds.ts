/** Kinds of subjects with a logo (§2.12), in the order of the specification. */
export const logoKinds = ['operator_brand', 'company', 'supplier_brand', 'payment_method', 'game'] as const
export type LogoKind = (typeof logoKinds)[number]

/** Sources of images, the most trusted first. */
export const logoSources = ['business_profile', 'website', 'catalog'] as const
export type LogoSource = (typeof logoSources)[number]

export const logoStatuses = ['current', 'superseded', 'withdrawn', 'rejected'] as const
export type LogoStatus = (typeof logoStatuses)[number]

/** Imports choose their own words for variants and themes; these are the defaults. */
export const defaultVariant = 'logo'
export const defaultTheme = 'light'
export const wordPattern = '^[a-z0-9]+([_-][a-z0-9]+)*$'
export const wordCharactersMax = 64
