import { Type } from 'typebox'
import type { FailureCode } from '../../core/failure.ts'
import { oneOf } from '../../core/schema.ts'
import { imageTypes, logoKinds } from '../../features/logos/index.ts'
import { imageQuery, operationNames } from '../images.ts'
import { everyAnswer, headerReferences } from './components.ts'
import { describeParameters } from './describe-parameters.ts'
import { describeCodes } from './describe-refusals.ts'

/** The PNG of Lucky Otter in the demo world, which every installation serves. */
const demoLogo = '1c98bc4f9fdfb19716242e21f003fb211613efabc5c136229ace05c2fef14e09.png'

const everyImage = [...everyAnswer, 'Access-Control-Allow-Origin', 'Cross-Origin-Resource-Policy']
const kept = ['ETag', 'Cache-Control']
const ofPath = (names: Parameters<typeof Type.Object>[0]) => describeParameters('path', Type.Object(names))

const storedFailures: FailureCode[] = ['not_found', 'internal_error', 'service_unavailable']
export const imageFailures: FailureCode[] = [
  'invalid_parameter',
  'unknown_parameter',
  'invalid_domain',
  ...storedFailures,
]

/** Images of sites and subjects, and the stored files (§4.14): for whoever asks, and for pages that show them. */
export function describeImages(): Record<string, object> {
  return {
    '/images/{domain}': {
      get: describeImage(
        operationNames.image,
        'Image of a site',
        ofPath({
          domain: Type.String({
            description: 'A domain, or any URL of the site, percent-encoded.',
            examples: ['luckyotter.example'],
          }),
        }),
      ),
    },
    '/images/{kind}/{slug}': {
      get: describeImage(
        `${operationNames.image}_of_subject`,
        'Image of a subject',
        ofPath({
          kind: oneOf(logoKinds, { examples: ['operator_brand'] }),
          slug: Type.String({
            description: 'As logo search answers it; the name will do as well.',
            examples: ['lucky-otter'],
          }),
        }),
      ),
    },
    '/logos/{file}': { get: describeStored() },
  }
}

function describeImage(operationId: string, summary: string, parameters: object[]): object {
  return {
    ...about(operationId, summary),
    description: `Leads to the stored file that is asked for, or draws a monogram of the name; free, and without a key. The same of the
demo world stands below \`/images/demo/\`. An installation may have its images elsewhere: \`logo_url\` and others tell the address.

Specification §4.14.`,
    parameters: [...parameters, ...describeParameters('query', imageQuery)],
    responses: {
      200: {
        description: 'No such logo is held: the monogram.',
        headers: headerReferences([...everyImage, ...kept, 'Content-Security-Policy']),
        content: contentOf([imageTypes.svg]),
      },
      302: {
        description: 'The stored file is there.',
        headers: headerReferences([...everyImage, 'Location', 'Cache-Control']),
      },
      304: unchanged,
      ...describeCodes(imageFailures, { withoutCode: [429], headers: () => everyImage }),
    },
  }
}

function describeStored(): object {
  const file = Type.String({
    description: 'The name that search and images answer; it is made of the bytes.',
    examples: [demoLogo],
  })
  return {
    ...about(operationNames.logo, 'A stored logo'),
    description: `The file of a logo, which its name says never changes; free, and without a key.

Specification §4.14.`,
    parameters: ofPath({ file }),
    responses: {
      200: {
        description: 'The file.',
        headers: headerReferences([...everyImage, ...kept, 'Content-Security-Policy']),
        content: contentOf(Object.values(imageTypes)),
      },
      304: unchanged,
      ...describeCodes(storedFailures, { withoutCode: [429], headers: () => everyImage }),
    },
  }
}

const about = (operationId: string, summary: string) => ({
  operationId,
  tags: ['Logos'],
  summary,
  security: [],
})

const contentOf = (types: readonly string[]) =>
  Object.fromEntries(types.map(type => [type, { schema: { type: 'string', format: 'binary' } }]))

const unchanged = {
  description: 'The image is the one that `If-None-Match` names.',
  headers: headerReferences([...everyImage, ...kept, 'Content-Security-Policy']),
}
