import { imageTypes } from '@baize/images'
import { Type } from 'typebox'
import type { FailureCode } from '../../core/failure.ts'
import { oneOf } from '../../core/schema.ts'
import { logoKinds } from '../../features/logos/index.ts'
import { imageOperations, imageQuery } from '../send/images.ts'
import { everyAnswer, headerReferences } from './components.ts'
import { describeParameters } from './describe-parameters.ts'
import { describeCodes, type ErrorResponses } from './describe-refusals.ts'

/** The PNG of Lucky Otter in the demo world, which every installation has. */
const demoLogo = '1c98bc4f9fdfb19716242e21f003fb211613efabc5c136229ace05c2fef14e09.png'

const everyImage = [...everyAnswer, 'Access-Control-Allow-Origin', 'Cross-Origin-Resource-Policy']
const cached = ['ETag', 'Cache-Control']
const ofPath = (names: Parameters<typeof Type.Object>[0]) => describeParameters('path', Type.Object(names))

const storedFailures: FailureCode[] = ['not_found', 'internal_error', 'service_unavailable']
export const imageFailures: FailureCode[] = [
  'invalid_parameter',
  'unknown_parameter',
  'invalid_domain',
  ...storedFailures,
]

/** Describes the public images of sites and subjects, and the stored files (§4.14). */
export function describeImages() {
  return {
    '/images/{domain}': {
      get: describeImage(
        imageOperations.image,
        'Get the image of a site',
        ofPath({
          domain: Type.String({
            minLength: 1,
            description: 'A domain, or any URL of the site, percent-encoded.',
            examples: ['luckyotter.example'],
          }),
        }),
      ),
    },
    '/images/{kind}/{slug}': {
      get: describeImage(
        `${imageOperations.image}_of_subject`,
        'Get the image of a subject',
        ofPath({
          kind: oneOf(logoKinds, { examples: ['operator_brand'] }),
          slug: Type.String({
            minLength: 1,
            description: 'The slug of a logo search result, or the name.',
            examples: ['lucky-otter'],
          }),
        }),
      ),
    },
    '/logos/{file}': { get: describeStored() },
  }
}

function describeImage(operationId: string, summary: string, parameters: object[]) {
  return {
    ...about(operationId, summary),
    description: `Redirects to the stored file, or returns a monogram of the name. Free, without a key.
The demo world's images are below \`/images/demo/\`. An installation may serve images from another host: use
\`logo_url\` and the other URLs of responses.

Specification §4.14.`,
    parameters: [...parameters, ...describeParameters('query', imageQuery)],
    responses: {
      200: {
        description: 'A monogram, because there is no such logo.',
        headers: headerReferences([...everyImage, ...cached, 'Content-Security-Policy']),
        content: contentOf([imageTypes.svg]),
      },
      302: {
        description: 'Redirect to the stored file.',
        headers: headerReferences([...everyImage, 'Location', 'Cache-Control']),
      },
      304: unchanged,
      ...describeCodes(imageFailures, ofImages),
    },
  }
}

function describeStored() {
  const file = Type.String({
    minLength: 1,
    description: 'The file name, as in the URLs of logo search and images. It contains a digest of the file.',
    examples: [demoLogo],
  })
  return {
    ...about(imageOperations.logo, 'Get a stored logo'),
    description: `Returns a logo file. Its content never changes. Free, without a key.

Specification §4.14.`,
    parameters: ofPath({ file }),
    responses: {
      200: {
        description: 'The file.',
        headers: headerReferences([...everyImage, ...cached, 'Content-Security-Policy']),
        content: contentOf(Object.values(imageTypes)),
      },
      304: unchanged,
      ...describeCodes(storedFailures, ofImages),
    },
  }
}

const ofImages: ErrorResponses = {
  withoutCode: [429],
  of: () => ({ kind: 'Image', headers: everyImage }),
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
  shared: 'ImageUnchanged',
  description: 'The image has the ETag of `If-None-Match`.',
  headers: headerReferences([...everyImage, ...cached, 'Content-Security-Policy']),
}
