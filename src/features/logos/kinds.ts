/** The kinds of logos (§2.12), in the order of the specification. */
export const logoKinds = ['operator_brand', 'company', 'supplier_brand', 'payment_method', 'game'] as const
export type LogoKind = (typeof logoKinds)[number]

/** Returns a key that is unique among subjects. */
export const subjectKeyOf = ({ kind, slug }: { kind: string; slug: string }) => `${kind}/${slug}`

/** The sources of logos, the most trusted first. */
export const logoSources = ['business_profile', 'website', 'catalog'] as const
export type LogoSource = (typeof logoSources)[number]

export const logoStatuses = ['current', 'superseded', 'withdrawn', 'rejected'] as const
export type LogoStatus = (typeof logoStatuses)[number]

/** The default variant and theme; imports may use their own words. */
export const defaultVariant = 'logo'
export const defaultTheme = 'light'
export const wordPattern = '^[a-z0-9]+([_-][a-z0-9]+)*$'
export const wordCharactersMax = 64

export const logoFolder = 'logos'

/** Returns the name under which a file store has the image. */
export const storedName = (name: string) => `${logoFolder}/${name}`
