import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { FilePlace } from '@baize/files'
import { eventually } from './eventually.ts'
import { freePort } from './program.ts'

const server = 'moto_server'

export const hasObjectStore = (process.env.PATH ?? '')
  .split(delimiter)
  .some(folder => folder !== '' && existsSync(join(folder, server)))

export type ObjectStore = {
  place: Extract<FilePlace, { kind: 'bucket' }>
  client: S3Client
  freeze(): void
  goOn(): void
  close(): Promise<void>
}

/** Starts an S3 server with an empty bucket. It requires keys, but accepts any. */
export async function startObjectStore(prefix = ''): Promise<ObjectStore> {
  const environment = { ...process.env }
  process.env.AWS_ACCESS_KEY_ID = 'test'
  process.env.AWS_SECRET_ACCESS_KEY = 'test'
  const port = await freePort()
  const child = spawn(server, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  const gone = new Promise<void>(resolve => child.once('close', () => resolve()))
  const endpoint = `http://127.0.0.1:${port}`
  await eventually('the object store answers', () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    ),
  )
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: 'baize' }))
  return {
    place: { kind: 'bucket', bucket: 'baize', prefix, endpoint, region: null },
    client,
    freeze: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    close: async () => {
      client.destroy()
      process.env = environment
      child.kill('SIGKILL')
      await gone
    },
  }
}
