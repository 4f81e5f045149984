import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import { spool } from '@baize/outbound'
import type { S3Driver } from 'flydrive/drivers/s3'
import { requireFileName } from './file-name.ts'
import type { FilePlace } from './file-place.ts'
import type { FileStore } from './file-store.ts'

const connectTimeoutMs = 3_000
const silenceTimeoutMs = 30_000
const attemptsMax = 3
const retryAfterMs = 200
const listedAtOnceMax = 1_000
/** The signature needs a region; S3-compatible stores accept any. */
const regionDefault = 'us-east-1'

type Bucket = Extract<FilePlace, { kind: 'bucket' }>
type Opened = { driver: S3Driver; client: S3Client; get(key: string, range?: string): Promise<Readable> }

/**
 * Stores files in an S3-compatible bucket. Credentials come from the SDK's chain (environment, profile,
 * machine role). Files are spooled to disk first: with a known length an upload is one request that can be
 * retried and leaves no partial file. The SDK is loaded on first use because it needs several megabytes of
 * memory.
 */
export function openBucket(place: Bucket): FileStore {
  const { bucket, prefix } = place
  const bucketKeyOf = (name: string) => `${prefix}${requireFileName(name)}`
  let opening: Promise<Opened> | null = null
  const opened = () => {
    opening ??= open(place)
    return opening
  }

  return {
    async put(name, content) {
      const key = bucketKeyOf(name)
      const { driver } = await opened()
      await using spooled = await spool(bytesOf(content))
      const { bytes } = spooled
      for (let attempt = 1; ; attempt++) {
        try {
          // A content length of 0 counts as unknown.
          if (bytes === 0) await driver.put(key, '')
          else await driver.putStream(key, Readable.from(spooled.open()), { contentLength: bytes })
          return { bytes }
        } catch (error) {
          if (attempt === attemptsMax || isClientError(error)) throw error
          await pause(attempt * retryAfterMs)
        }
      }
    },

    async find(name) {
      const key = bucketKeyOf(name)
      const { driver, get } = await opened()
      const facts = await driver.getMetaData(key).catch(unlessMissing)
      if (facts === null) return null
      return {
        bytes: facts.contentLength,
        open: range => get(key, range && `bytes=${range.start}-${range.end}`),
      }
    },

    async remove(name) {
      await (await opened()).driver.delete(bucketKeyOf(name))
    },

    async *list(folder) {
      const { driver } = await opened()
      let paginationToken: string | undefined
      do {
        const page = await driver.listAll(`${bucketKeyOf(folder)}/`, {
          recursive: true,
          maxResults: listedAtOnceMax,
          ...(paginationToken === undefined ? {} : { paginationToken }),
        })
        for (const object of page.objects) {
          if (!object.isFile) continue
          const { lastModified } = await object.getMetaData()
          yield { name: object.key.slice(prefix.length), modifiedAt: lastModified }
        }
        paginationToken = page.paginationToken
      } while (paginationToken !== undefined)
    },
  }

  async function open({ endpoint, region }: Bucket): Promise<Opened> {
    const [{ S3Client: Client, GetObjectCommand }, { S3Driver: Driver }] = await Promise.all([
      import('@aws-sdk/client-s3'),
      import('flydrive/drivers/s3'),
    ])
    const client = new Client({
      region: region ?? regionDefault,
      // Amazon alone reliably supports buckets as host names.
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
      maxAttempts: attemptsMax,
      requestHandler: { connectionTimeout: connectTimeoutMs, socketTimeout: silenceTimeoutMs },
      // Many stores do not support checksums in trailers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // The SDK would print errors, which are thrown anyway.
      logger: silent,
    })
    const driver = new Driver({ client, bucket, supportsACL: false, visibility: 'private' })
    const get = async (key: string, range?: string) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range: range }))
      return Body as Readable
    }
    return { client, driver, get }
  }
}

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

async function* bytesOf(content: Readable): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of content) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}

/** The store refused the request, so a retry would fail too. */
function isClientError(error: unknown): boolean {
  return (error as { $fault?: string }).$fault === 'client'
}

function unlessMissing(error: unknown): null {
  if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404) return null
  throw error
}
