import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { serverUrls } from '@baize/postgres'
import { load, YAML11_SCHEMA } from 'js-yaml'
import { expect, test } from 'vitest'
import { readSettings } from '../src/config/settings.ts'

// Reads compose.cluster.yaml and the files of cluster/, which no container engine has run here.

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Service = { environment?: Record<string, string>; build?: string; image?: string; volumes?: string[] }
type Compose = { services: Record<string, Service>; volumes: Record<string, null> }
type Patroni = {
  bootstrap: {
    dcs: { ttl: number; loop_wait: number; retry_timeout: number; synchronous_mode: boolean }
    post_bootstrap: string
  }
}

const text = read('compose.cluster.yaml')
const { services, volumes } = load(text, { schema: YAML11_SCHEMA }) as Compose
const serviceNames = Object.keys(services)

/** Fills in the variables of the operator's shell, of which some are required. */
function environmentOf(name: string): Record<string, string> {
  const entries = Object.entries(services[name]?.environment ?? {})
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      value.replaceAll(/\$\{\w+(?::-([^}]*)|:\?[^}]*)\}/g, (_, preset?: string) => preset ?? 'secret'),
    ]),
  )
}

test('the first line of the compose file of a cluster says that it was never run', () => {
  expect(text.split('\n')[0]).toMatch(/^# Never run/)
})

test.each(['api-one', 'api-two', 'worker-one', 'worker-two'])(
  'the settings of %s are valid, and name every server of the cluster',
  name => {
    const { databaseUrl, databaseReplicaUrl, redisUrl, files } = readSettings(environmentOf(name))
    for (const url of [databaseUrl, databaseReplicaUrl])
      expect(serverUrls(url ?? '')?.map(each => new URL(each).hostname)).toEqual(['one', 'two', 'three'])
    expect(serviceNames).toContain(new URL(redisUrl ?? '').hostname)
    expect(files).toMatchObject({ kind: 'bucket', bucket: 'baize', endpoint: 'http://s3:9000' })
  },
)

test.each(['one', 'two', 'three'])('the server %s has its own name, address and volume', name => {
  const environment = environmentOf(name)
  expect(environment).toMatchObject({
    PATRONI_NAME: name,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${name}:5432`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `${name}:8008`,
  })
  expect(services[name]?.volumes).toEqual([`${name}:/data`])
  for (const host of environment.PATRONI_ETCD_HOSTS?.split(',') ?? [])
    expect(serviceNames).toContain(host.split(':')[0])
})

test('HAProxy gets each address that its file names, of services that exist', () => {
  const named = [...read('cluster/haproxy.cfg').matchAll(/\$\{(\w+)(?:\[\*\])?\}/g)].map(
    match => match[1] ?? '',
  )
  const environment = environmentOf('haproxy')
  expect(Object.keys(environment).sort()).toEqual([...new Set(named)].sort())
  for (const [name, value] of Object.entries(environment)) {
    if (!/_BIND$|_HEALTH$/.test(name)) expect(serviceNames).toContain(value.split(':')[0])
  }
})

test('each volume is declared, and each image has a tag or is built from a Dockerfile', () => {
  for (const { volumes: used = [] } of Object.values(services))
    for (const each of used) expect(Object.keys(volumes)).toContain(each.split(':')[0])
  for (const [name, { image, build }] of Object.entries(services)) {
    if (build !== undefined) expect(read(join(build, 'Dockerfile'))).toMatch(/^FROM /m)
    else expect({ name, image }).toEqual({ name, image: expect.stringMatching(/:[\w.-]+$/) })
  }
})

test('Patroni is configured so that no answered charge is lost, within the bounds of its own rules', () => {
  const { bootstrap } = load(read('cluster/patroni.yaml')) as Patroni
  const { ttl, loop_wait, retry_timeout, synchronous_mode } = bootstrap.dcs
  expect(synchronous_mode).toBe(true)
  expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl)
  expect(read(bootstrap.post_bootstrap.split(' ')[1] ?? '')).toContain('create database baize')
})
