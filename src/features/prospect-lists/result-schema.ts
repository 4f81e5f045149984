import { type Static, Type } from 'typebox'
import { closed, nullable } from '../../core/schema.ts'

const targetsMax = 100
const contactsMax = 100
const organizationsMax = 50
const licencesMax = 500
const brandsMax = 500
const channelsMax = 20
const refCharactersMax = 64
const nameCharactersMax = 500
const urlCharactersMax = 2_048
const emailCharactersMax = 254
const textCharactersMax = 20_000

/**
 * Not blank, and on one line: cells of the CSV separate their values by line breaks, as which `.` takes U+2028 and U+2029
 * too. Tabs are no line breaks. Generators of clients write `\u000a` out as the character, which breaks their code; `\x0a`
 * stays as it is.
 */
const onOneLine = '^(?=.*\\S)(?:(?![\\x00-\\x08\\x0a-\\x1f\\x7f\\x85]).)+$'
const paragraphs = '^(?=[\\s\\S]*\\S)[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]+$'
/** Letters, digits and the signs that refs have; so that no cell of a ref needs to be quoted. */
const refShape = '^[A-Za-z0-9][A-Za-z0-9._:-]*$'
/** A host with or without http(s), never another scheme. */
const websiteShape = '^(?:https?://)?[^\\s/:?#@\\\\.=+-][^\\s/:?#@\\\\]*(?::\\d{1,5})?(?:[/?#]\\S*)?$'
const profileShape = '^https?://[^\\s/:?#@\\\\]+(?::\\d{1,5})?(?:[/?#]\\S*)?$'

/** What a text takes that has one of these forms, for the person whose file was refused. */
export const acceptedBy: Readonly<Record<string, string>> = {
  [onOneLine]: 'text that is not blank, on one line',
  [paragraphs]: 'text that is not blank',
  [refShape]: 'letters, digits and . _ : - behind the first',
  [websiteShape]: 'a host, or an http(s) URL',
  [profileShape]: 'an http(s) URL',
}

const line = (description: string, maxLength = nameCharactersMax) =>
  Type.String({ maxLength, pattern: onOneLine, description })
const ref = (description: string) =>
  Type.String({ maxLength: refCharactersMax, pattern: refShape, description })

const keyContact = Type.Object(
  {
    contact_ref: ref('Names the person within the list.'),
    name: line('The name of the person.'),
    role: nullable(line('The role at the target.'), { description: 'null: not known.' }),
    professional_profile_url: nullable(Type.String({ maxLength: urlCharactersMax, pattern: profileShape }), {
      description: 'http or https; null: not known.',
    }),
    contact_channels: Type.Array(Type.String({ format: 'email', maxLength: emailCharactersMax }), {
      maxItems: channelsMax,
      uniqueItems: true,
      description: 'Verified e-mail addresses.',
    }),
  },
  { ...closed, named: 'ProspectContact' },
)

const targetAccount = Type.Object(
  {
    target_ref: ref('Names the target within the list.'),
    name: line('The name of the target account.'),
    website: nullable(Type.String({ maxLength: urlCharactersMax, pattern: websiteShape }), {
      description: 'A host, or an http(s) URL; null: not known.',
    }),
    candidate_organizations: Type.Array(
      Type.Object({ name: line('The organization.'), role: line('What it is to the target.') }, closed),
      { maxItems: organizationsMax, description: 'Organizations that may be behind the target.' },
    ),
    key_contacts: Type.Array(keyContact, { minItems: 1, maxItems: contactsMax }),
    licences: Type.Optional(
      Type.Array(
        Type.Object(
          {
            jurisdiction: line('Where it is licensed.', refCharactersMax),
            licence_number: line('As the regulator writes it.'),
            licence_type: nullable(line('As the regulator names it.'), { description: 'null: not known.' }),
          },
          closed,
        ),
        { maxItems: licencesMax, description: 'Left out where none are known.' },
      ),
    ),
    brands: Type.Optional(
      Type.Array(line('A brand.'), { maxItems: brandsMax, description: 'Left out where none are known.' }),
    ),
  },
  { ...closed, named: 'ProspectTarget' },
)

/** What a ready list holds (§2.13): a closed object. */
export const prospectListResult = Type.Object(
  {
    schema_version: Type.Unsafe<1>({ type: 'integer', enum: [1] }),
    request_interpretation: Type.Object(
      {
        journey: line('What the client is about to do.', textCharactersMax),
        summary: Type.String({ maxLength: textCharactersMax, pattern: paragraphs }),
      },
      { ...closed, description: 'How the request was understood.' },
    ),
    executive_summary: Type.String({ maxLength: textCharactersMax, pattern: paragraphs }),
    target_accounts: Type.Array(targetAccount, { maxItems: targetsMax }),
  },
  { ...closed, named: 'ProspectListResult' },
)

export type ProspectListResult = Static<typeof prospectListResult>
export type TargetAccount = ProspectListResult['target_accounts'][number]
export type KeyContact = TargetAccount['key_contacts'][number]
