import { createHash } from 'node:crypto'
import {
  chooseEncoding,
  encodedTag,
  encodeStream,
  entityTag,
  isNotModified,
  mayEncode,
} from '@baize/http-content'
import { drawMonogram, imageFormats, imageTypes, readImageFileName } from '@baize/images'
import { storableText } from '@baize/names'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Failure, fileStoreUnavailable, wrongValue } from '../../core/failure.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import type { World } from '../../database/open.ts'
import { canonicalDomain } from '../../features/inputs.ts'
import {
  demoImages,
  type FoundImage,
  findImageOfSite,
  findImageOfSubject,
  type ImageChoice,
  isShown,
  logoKinds,
  storedName,
  wordCharactersMax,
  wordPattern,
} from '../../features/logos/index.ts'
import { asFailure, refuseOtherMethods } from '../answer/failures.ts'
import { parameterReader, type RawQuery } from '../read/read-parameters.ts'
import type { Service } from '../service.ts'
import { throttle } from '../throttle.ts'

/** A page shows many logos, so the throttle of images is ten times that of `/v1`, counted by each process. */
const imagesPerRequest = 10

export const imageOperations = { image: 'show_image', logo: 'show_logo' } as const

const redirectSeconds = 300
/** The time is short, so that a newly loaded logo appears soon. */
const monogramSeconds = 300
const storedSeconds = 31_536_000

/** Forbids scripts and loading to an SVG that is opened as a page. */
const svgPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

const word = Type.String({
  minLength: 1,
  maxLength: wordCharactersMax,
  pattern: wordPattern,
  takes:
    `a word of up to ${wordCharactersMax} lower-case letters and digits, ` +
    'with single hyphens and underscores inside',
})
export const imageQuery = closedObject({
  variant: Type.Optional(word),
  theme: Type.Optional(word),
  format: Type.Optional(oneOf(imageFormats)),
  fallback: Type.Optional(oneOf(['404'], { description: 'Return 404 instead of a monogram.' })),
})
const readChoice = parameterReader(imageQuery)

/** Serves images of sites and subjects, and the stored files (§4.14), publicly and outside of `/v1`. */
export async function mountImages(app: FastifyInstance, service: Service): Promise<void> {
  await app.register(async images => {
    await throttle(images, {
      perMinute: service.settings.throttlePerMinute * imagesPerRequest,
      redis: null,
      onRefused: request => service.metrics.throttled(imageOperationOf(request)),
    })
    images.addHook('onRequest', async (_request, reply) => {
      // Pages of any origin may show the images.
      reply.header('cross-origin-resource-policy', 'cross-origin').header('access-control-allow-origin', '*')
    })
    images.addHook('onResponse', async (request, reply) => {
      if (reply.statusCode !== 429)
        service.metrics.observe(imageOperationOf(request), reply.statusCode, reply.elapsedTime / 1000)
    })
    mount(images, service, '/images/*', sendImage)
    mount(images, service, '/logos/:file', sendStored)
  })
}

const imageOperationOf = ({ url }: FastifyRequest) =>
  url.startsWith('/logos') ? imageOperations.logo : imageOperations.image

type Sender = (service: Service, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

function mount(app: FastifyInstance, service: Service, url: string, send: Sender): void {
  const allowed = ['GET', 'HEAD']
  app.route({
    method: allowed,
    url,
    // Fastify's HEAD would run the whole GET and discard the body.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      try {
        return await send(service, request, reply)
      } catch (error) {
        throw asFailure(error, { failures: [] })
      }
    },
  })
  refuseOtherMethods(app, url, allowed)
}

/** Redirects to the stored file, or draws a monogram unless `fallback=404`. */
const sendImage: Sender = async (service, request, reply) => {
  const { fallback, ...choice } = readChoice(request.query as RawQuery)
  const path = storableText((request.params as { '*': string })['*'])
  const { name, file_name } = await findImage(service, path, choice)
  if (file_name !== null) {
    reply.header('cache-control', `public, max-age=${redirectSeconds}`)
    return reply.redirect(`${service.settings.logoUrl}/${file_name}`, 302)
  }
  if (fallback === '404') throw new Failure('not_found', { message: 'There is no such logo.' })
  const monogram = drawMonogram(name)
  const etag = createHash('sha256').update(monogram).digest('hex')
  sendHead(reply, { etag, contentType: imageTypes.svg, cacheControl: `public, max-age=${monogramSeconds}` })
  return isNotModified(request, etag) ? reply.code(304).send() : reply.send(monogram)
}

/** Finds `{domain}` or `{kind}/{slug}`; below `demo/` those of the demo world. */
function findImage(service: Service, path: string, choice: ImageChoice): Promise<FoundImage> {
  const [first = '', ...rest] = path.split('/')
  if (first === demoImages && rest.length > 0) return findIn(service.demo, rest.join('/'), choice)
  return findIn(service.live, path, choice)
}

async function findIn(world: World, path: string, choice: ImageChoice): Promise<FoundImage> {
  const [first = '', ...rest] = path.split('/')
  const kind = logoKinds.find(each => each === first)
  if (kind === undefined && rest.length === 1 && !/[.:]/.test(first))
    throw wrongValue('kind', `one of ${logoKinds.join(', ')}`)
  if (kind === undefined) return findImageOfSite(world, canonicalDomain(path), choice)
  const name = rest.join('/').trim()
  if (name === '') throw wrongValue('slug', 'a slug or a name')
  return findImageOfSubject(world, kind, name, choice)
}

/** Sends a stored file, named by its digest. A withdrawn file answers 404. */
const sendStored: Sender = async (service, request, reply) => {
  const { file } = request.params as { file: string }
  const named = readImageFileName(file)
  const shown =
    named !== null &&
    ((await isShown(service.live.database, file)) || (await isShown(service.demo.database, file)))
  const stored = shown ? await service.files.find(storedName(file)).catch(fileStoreUnavailable) : null
  if (named === null || stored === null) throw new Failure('not_found', { message: 'There is no such logo.' })
  // Other formats are already compressed.
  const isText = named.format === 'svg' && mayEncode(reply, stored.bytes)
  const encoding = isText ? chooseEncoding(request) : null
  const etag = encodedTag(named.sha256, encoding)
  const isKnown = isNotModified(request, etag, named.sha256)
  // The file is opened before any header is set, because an error must not get the file's cache headers.
  const isSent = !isKnown && request.method === 'GET'
  const content = isSent ? await stored.open().catch(fileStoreUnavailable) : undefined
  sendHead(reply, {
    etag,
    contentType: imageTypes[named.format],
    cacheControl: `public, max-age=${storedSeconds}, immutable`,
  })
  if (isKnown) return reply.code(304).send()
  if (encoding === null) return reply.header('content-length', stored.bytes).send(content)
  return reply.header('content-encoding', encoding).send(content && encodeStream(content, encoding))
}

function sendHead(
  reply: FastifyReply,
  { etag, contentType, cacheControl }: { etag: string; contentType: string; cacheControl: string },
): void {
  reply
    .header('etag', entityTag(etag))
    .header('content-type', contentType)
    .header('cache-control', cacheControl)
  if (contentType === imageTypes.svg) reply.header('content-security-policy', svgPolicy)
}
