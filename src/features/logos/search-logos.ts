import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closed, nullable, oneOf } from '../../core/schema.ts'
import { roles } from '../../core/value-sets.ts'
import { type Context, defineOperation } from '../operation.ts'
import { trimmedText } from '../search/index.ts'
import { role } from '../words.ts'
import { type CurrentLogo, readCurrentLogos, readSubjects, type SubjectRow } from './current-logos-store.ts'
import { logoKinds, logoSources } from './kinds.ts'
import { imageFormats } from './logo-file.ts'
import { nameKey } from './name-key.ts'
import example from './search-logos.example.json' with { type: 'json' }
import { findByName } from './search-store.ts'
import { worldImageUrl } from './world-image-url.ts'

const resultsMax = 10
const textCharactersMin = 3
const textCharactersMax = 100

const query = Type.Object(
  {
    q: Type.String({
      description: `A fragment of a name, ${textCharactersMin} to ${textCharactersMax} characters; blanks at its ends and
punctuation do not count, and case and accents do not matter.`,
      examples: ['otter'],
    }),
    kind: Type.Optional(oneOf(logoKinds, { named: 'LogoKind', description: 'Only subjects of this kind.' })),
  },
  closed,
)

const row = Type.Object(
  {
    name: Type.String(),
    kind: oneOf(logoKinds, { named: 'LogoKind' }),
    slug: Type.String({ description: 'Unique within the kind; it stays when the name changes.' }),
    domain: Type.String({ description: 'Its registrable domain; empty where none is held.' }),
    role: Type.Array(role(), { description: 'Empty where none is held.' }),
    logo_url: nullable(Type.String(), {
      description: 'Where its default image is addressed; null: no logo is held.',
    }),
    logos: Type.Array(
      Type.Object(
        {
          url: Type.String({ description: 'The stored file; it never changes.' }),
          source: oneOf(logoSources),
          variant: Type.String(),
          theme: Type.String(),
          format: oneOf(imageFormats),
        },
        closed,
      ),
      { description: 'The current alternatives, the default image first.' },
    ),
  },
  { ...closed, named: 'LogoSubject' },
)

export const searchLogos = defineOperation({
  name: 'search_logos',
  method: 'GET',
  path: '/v1/logos/search',
  tag: 'Logos',
  section: '§4.14',
  summary: 'Find brands, companies, suppliers and payment methods with their logos',
  description: `Free. Whose name bears the fragment, at most 10: those that are called so first, then those that begin so, then by
name. A subject without a logo is found as well. Images need no key: \`logo_url\` redirects to the stored file, and other
subjects and domains answer with a monogram.`,
  query,
  data: Type.Object(
    {
      results: Type.Array(row),
      found: Type.Integer({ description: 'How many match; 10 where more than ten do.' }),
      found_capped: Type.Boolean({ description: 'Whether more than ten match. There are no further pages.' }),
    },
    closed,
  ),
  prices: [],
  failures: ['search_unavailable'],
  demo: [
    { title: 'A brand with logos for light and dark grounds', query: { q: 'lucky otter' } },
    { title: 'More than ten subjects bear the fragment', query: { q: 'ter' } },
    { title: 'A supplier, in any spelling', query: { q: 'VELVET-anvil', kind: 'supplier_brand' } },
    { title: 'A payment method', query: { q: 'pigeon', kind: 'payment_method' } },
    { title: 'A game without a logo', query: { q: 'green finches', kind: 'game' } },
    { title: 'Nobody is called so', query: { q: 'neverheard' } },
  ],
  example,
  canonical: input => ({ ...input, q: fragmentOf(input.q) }),
  async quote(context, { q, kind }) {
    const ids = await findByName(context.world, nameKey(q), kind, resultsMax + 1)
    const shown = ids.slice(0, resultsMax)
    return {
      ceiling: 0,
      deliver: async () => ({
        data: {
          results: await describe(context, shown),
          found: shown.length,
          found_capped: ids.length > resultsMax,
        },
        charges: [],
      }),
    }
  },
})

/** Punctuation does not matter, so it does not make a fragment long enough either. */
function fragmentOf(q: string): string {
  const text = trimmedText('q', q, textCharactersMin, textCharactersMax)
  if ([...nameKey(text).joined].length >= textCharactersMin) return text
  const takes = `text of ${textCharactersMin} to ${textCharactersMax} characters, at least ${textCharactersMin} of them letters or digits`
  throw new Failure('invalid_parameter', {
    message: `"q" takes ${takes}.`,
    details: { parameter: 'q', takes },
  })
}

async function describe(context: Context, ids: readonly number[]) {
  const { replica } = context.world
  const [subjects, logos] = await Promise.all([readSubjects(replica, ids), readCurrentLogos(replica, ids)])
  const byId = new Map(subjects.map(subject => [subject.id, subject]))
  return ids
    .map(id => byId.get(id))
    .filter(subject => subject !== undefined)
    .map(subject =>
      shownRow(
        context,
        subject,
        logos.filter(logo => logo.subject_id === subject.id),
      ),
    )
}

function shownRow(context: Context, subject: SubjectRow, logos: readonly CurrentLogo[]) {
  const { name, kind, slug, domain, role } = subject
  return {
    name,
    kind,
    slug,
    domain: domain ?? '',
    role: roles.filter(each => each !== 'unknown' && role.includes(each)),
    logo_url: logos.length === 0 ? null : `${worldImageUrl(context)}/${kind}/${slug}`,
    logos: logos.map(({ file_name, source, variant, theme, format }) => ({
      url: `${context.logoUrl}/${file_name}`,
      source,
      variant,
      theme,
      format,
    })),
  }
}
