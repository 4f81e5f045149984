import { imageFormats } from '@baize/images'
import { Type } from 'typebox'
import { wrongValue } from '../../core/failure.ts'
import { closedObject, namedObject, nullable, oneOf } from '../../core/schema.ts'
import { type Context, defineOperation } from '../operation.ts'
import { textTakes, trimmedText } from '../search/index.ts'
import { companyRoles, role } from '../value-sets.ts'
import { logoKinds, logoSources } from './kinds.ts'
import { nameKey } from './name-key.ts'
import example from './search-logos.example.json' with { type: 'json' }
import {
  type CurrentLogo,
  findByName,
  readCurrentLogos,
  readSubjects,
  type SubjectRow,
} from './search-logos-store.ts'

/** The path segment of demo images, because an image request has no key that names the world. */
export const demoImages = 'demo'

const resultsMax = 10
const textCharactersMin = 3
const textCharactersMax = 100

const query = closedObject({
  q: Type.String({
    minLength: textCharactersMin,
    takes: textTakes(textCharactersMin, textCharactersMax),
    description: `A fragment of a name, ${textCharactersMin} to ${textCharactersMax} characters. Surrounding
blanks and punctuation do not count. Case and accents are ignored.`,
    examples: ['otter'],
  }),
  kind: Type.Optional(oneOf(logoKinds, { named: 'LogoKind', description: 'Only subjects of this kind.' })),
})

const row = namedObject('LogoSubject', {
  name: Type.String(),
  kind: oneOf(logoKinds, { named: 'LogoKind' }),
  slug: Type.String({ description: 'Unique within the kind. It stays the same when the name changes.' }),
  domain: Type.String({ description: 'Registrable domain, or an empty string if unknown.' }),
  role: Type.Array(role(), { description: 'Empty if unknown.' }),
  logo_url: nullable(Type.String(), { description: 'URL of the default image. null: no logo.' }),
  logos: Type.Array(
    closedObject({
      url: Type.String({ description: 'URL of the stored file, which never changes.' }),
      source: oneOf(logoSources),
      variant: Type.String(),
      theme: Type.String(),
      format: oneOf(imageFormats),
    }),
    { description: 'All current images, the default image first.' },
  ),
})

export const searchLogos = defineOperation({
  name: 'search_logos',
  method: 'GET',
  path: '/v1/logos/search',
  tag: 'Logos',
  section: '§4.14',
  summary: 'Search logos',
  description: `Finds brands, companies, suppliers, payment methods and games by a fragment of their name, at
most 10: exact matches first, then prefix matches, then the rest by name. Subjects without a logo are
included. Free. Images need no key: \`logo_url\` redirects to the stored file, and a subject or domain without
a logo gets a monogram.`,
  query,
  data: closedObject({
    results: Type.Array(row),
    found: Type.Integer({ description: 'Number of results, at most 10.' }),
    found_capped: Type.Boolean({ description: 'Whether more than 10 match. There are no further pages.' }),
  }),
  prices: [],
  failures: ['search_unavailable'],
  demo: [
    { title: 'A brand with logos for light and dark backgrounds', query: { q: 'lucky otter' } },
    { title: 'A fragment with more than ten matches', query: { q: 'ter' } },
    { title: 'A supplier, spelled differently', query: { q: 'VELVET-anvil', kind: 'supplier_brand' } },
    { title: 'A payment method', query: { q: 'pigeon', kind: 'payment_method' } },
    { title: 'A game without a logo', query: { q: 'green finches', kind: 'game' } },
    { title: 'A name without a match', query: { q: 'neverheard' } },
  ],
  example,
  canonical: input => ({ ...input, q: fragmentOf(input.q) }),
  async quote(context, { q, kind }) {
    const ids = await findByName(context.world, nameKey(q), kind, resultsMax + 1)
    const shownIds = ids.slice(0, resultsMax)
    return {
      ceiling: 0,
      deliver: async () => ({
        data: {
          results: await readResults(context, shownIds),
          found: shownIds.length,
          found_capped: ids.length > resultsMax,
        },
        charges: [],
      }),
    }
  },
})

/** Returns the searched text, whose minimum length does not count punctuation. */
function fragmentOf(q: string): string {
  const text = trimmedText('q', q, textCharactersMin, textCharactersMax)
  if ([...nameKey(text).joined].length >= textCharactersMin) return text
  throw wrongValue(
    'q',
    `text of ${textCharactersMin} to ${textCharactersMax} characters, ` +
      `at least ${textCharactersMin} of them letters or digits`,
  )
}

async function readResults(context: Context, ids: readonly number[]) {
  const { replica } = context.world
  const [subjects, logos] = await Promise.all([readSubjects(replica, ids), readCurrentLogos(replica, ids)])
  const byId = new Map(subjects.map(subject => [subject.id, subject]))
  const logosOf = Map.groupBy(logos, logo => logo.subject_id)
  return ids
    .map(id => byId.get(id))
    .filter(subject => subject !== undefined)
    .map(subject => subjectResult(context, subject, logosOf.get(subject.id) ?? []))
}

function subjectResult(context: Context, subject: SubjectRow, logos: readonly CurrentLogo[]) {
  const { name, kind, slug, domain, role } = subject
  const worldImageUrl = context.world.name === 'demo' ? `${context.imageUrl}/${demoImages}` : context.imageUrl
  return {
    name,
    kind,
    slug,
    domain: domain ?? '',
    role: companyRoles.filter(each => each !== 'unknown' && role.includes(each)),
    logo_url: logos.length === 0 ? null : `${worldImageUrl}/${kind}/${slug}`,
    logos: logos.map(({ file_name, source, variant, theme, format }) => ({
      url: `${context.logoUrl}/${file_name}`,
      source,
      variant,
      theme,
      format,
    })),
  }
}
