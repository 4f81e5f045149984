import { type Static, Type } from 'typebox'
import { closedObject, namedObject, nullable } from '../../core/schema.ts'

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
 * Matches non-blank text on one line, because line breaks separate values in a CSV cell. The `.` also
 * excludes U+2028 and U+2029. It has `\x0a` and not `\u000a`, because client generators unescape the
 * latter.
 */
const onOneLine = '^(?=.*\\S)(?:(?![\\x00-\\x08\\x0a-\\x1f\\x7f\\x85]).)+$'
const paragraphs = '^(?=[\\s\\S]*\\S)[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]+$'
/** Matches refs that need no quoting in CSV. */
const refShape = '^[A-Za-z0-9][A-Za-z0-9._:-]*$'
/** Matches a host or an http(s) URL. */
const websiteShape = '^(?:https?://)?[^\\s/:?#@\\\\.=+-][^\\s/:?#@\\\\]*(?::\\d{1,5})?(?:[/?#]\\S*)?$'
const profileShape = '^https?://[^\\s/:?#@\\\\]+(?::\\d{1,5})?(?:[/?#]\\S*)?$'

export const acceptedBy: Readonly<Record<string, string>> = {
  [onOneLine]: 'non-blank text on one line',
  [paragraphs]: 'non-blank text',
  [refShape]: 'letters, digits and . _ : -, starting with a letter or digit',
  [websiteShape]: 'a host, or an http(s) URL',
  [profileShape]: 'an http(s) URL',
}

const line = (description: string, maxLength = nameCharactersMax) =>
  Type.String({ maxLength, pattern: onOneLine, description })
const ref = (description: string) =>
  Type.String({ maxLength: refCharactersMax, pattern: refShape, description })

const keyContact = namedObject('ProspectContact', {
  contact_ref: ref('Identifies the person within the list.'),
  name: line('Full name.'),
  role: nullable(line('The role at the target.'), { description: 'null: unknown.' }),
  professional_profile_url: nullable(Type.String({ maxLength: urlCharactersMax, pattern: profileShape }), {
    description: 'http or https; null: unknown.',
  }),
  contact_channels: Type.Array(Type.String({ format: 'email', maxLength: emailCharactersMax }), {
    maxItems: channelsMax,
    uniqueItems: true,
    description: 'Verified e-mail addresses.',
  }),
})

const targetAccount = namedObject('ProspectTarget', {
  target_ref: ref('Identifies the target within the list.'),
  name: line('The name of the target account.'),
  website: nullable(Type.String({ maxLength: urlCharactersMax, pattern: websiteShape }), {
    description: 'A host or an http(s) URL; null: unknown.',
  }),
  candidate_organizations: Type.Array(
    closedObject({ name: line('The organization.'), role: line('Its relation to the target.') }),
    { maxItems: organizationsMax, description: 'Organizations that may be behind the target.' },
  ),
  key_contacts: Type.Array(keyContact, { minItems: 1, maxItems: contactsMax }),
  licences: Type.Optional(
    Type.Array(
      closedObject({
        jurisdiction: line('Where it is licensed.', refCharactersMax),
        licence_number: line('As the regulator writes it.'),
        licence_type: nullable(line('As the regulator names it.'), { description: 'null: unknown.' }),
      }),
      { maxItems: licencesMax, description: 'Omitted if none are known.' },
    ),
  ),
  brands: Type.Optional(
    Type.Array(line('A brand.'), { maxItems: brandsMax, description: 'Omitted if none are known.' }),
  ),
})

export const prospectListResult = namedObject('ProspectListResult', {
  schema_version: Type.Unsafe<1>({ type: 'integer', enum: [1] }),
  request_interpretation: closedObject(
    {
      journey: line('What the client wants to achieve.', textCharactersMax),
      summary: Type.String({ maxLength: textCharactersMax, pattern: paragraphs }),
    },
    { description: 'How the request was interpreted.' },
  ),
  executive_summary: Type.String({ maxLength: textCharactersMax, pattern: paragraphs }),
  target_accounts: Type.Array(targetAccount, { maxItems: targetsMax }),
})

export type ProspectListResult = Static<typeof prospectListResult>
export type TargetAccount = ProspectListResult['target_accounts'][number]
export type KeyContact = TargetAccount['key_contacts'][number]
