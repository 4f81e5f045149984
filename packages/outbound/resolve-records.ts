import { lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { NetworkSettings } from './network-settings.ts'

export type RecordType = 'A' | 'AAAA' | 'NS' | 'MX'

/** `nxdomain` and `no_data` are facts about the name. The other failures show nothing about it. */
export type RecordAnswer<Value> =
  | { outcome: 'answered'; records: Value[] }
  | { outcome: 'nxdomain' | 'no_data' | 'servfail' | 'timeout' | 'refused'; records: [] }

type RecordValues = { A: string; AAAA: string; NS: string; MX: { priority: number; host: string } }

const queryTimeoutMs = 2_500
const queryTries = 2
const recordsMax = 64

const outcomes: Record<string, Exclude<RecordAnswer<never>['outcome'], 'answered'>> = {
  ENOTFOUND: 'nxdomain',
  ENODATA: 'no_data',
  ESERVFAIL: 'servfail',
  EREFUSED: 'refused',
  ENOTIMP: 'refused',
}

/**
 * Looks up one kind of record. That a name does not exist is only believed when a second server agrees, or
 * when one server answers so twice.
 */
export async function resolveRecords<Type extends RecordType>(
  { dnsServers }: Pick<NetworkSettings, 'dnsServers'>,
  name: string,
  type: Type,
): Promise<RecordAnswer<RecordValues[Type]>> {
  const servers = dnsServers.length > 0 ? dnsServers : new Resolver().getServers()
  const [first = [], second = first] = [servers, servers.slice(1)].filter(list => list.length > 0)
  const answer = await askServers(first, name, type)
  if (answer.outcome !== 'nxdomain') return answer
  return askServers(second, name, type)
}

async function askServers<Type extends RecordType>(
  servers: readonly string[],
  name: string,
  type: Type,
): Promise<RecordAnswer<RecordValues[Type]>> {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries })
  resolver.setServers(servers)
  try {
    const records = (await queryRecords(resolver, name, type)) as RecordValues[Type][]
    if (records.length === 0) return { outcome: 'no_data', records: [] }
    return { outcome: 'answered', records: records.slice(0, recordsMax) }
  } catch (error) {
    return { outcome: outcomes[(error as NodeJS.ErrnoException).code ?? ''] ?? 'timeout', records: [] }
  }
}

async function queryRecords(resolver: Resolver, name: string, type: RecordType): Promise<unknown[]> {
  switch (type) {
    case 'A':
      return resolver.resolve4(name)
    case 'AAAA':
      return resolver.resolve6(name)
    case 'NS':
      return resolver.resolveNs(name)
    case 'MX':
      return (await resolver.resolveMx(name)).map(({ priority, exchange }) => ({ priority, host: exchange }))
  }
}

export type Address = { address: string; family: 4 | 6 }
export type Addresses =
  | { outcome: 'found'; addresses: Address[] }
  | { outcome: 'not_found' }
  | { outcome: 'unresolved' }

/** Returns the addresses to connect to, IPv4 first. An address resolves to itself. */
export async function resolveAddresses(
  network: Pick<NetworkSettings, 'dnsServers'>,
  host: string,
): Promise<Addresses> {
  const literal = host.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(literal)
  if (family !== 0) return { outcome: 'found', addresses: [{ address: literal, family: family as 4 | 6 }] }
  if (network.dnsServers.length === 0) return resolveBySystem(host)
  const [four, six] = await Promise.all([
    resolveRecords(network, host, 'A'),
    resolveRecords(network, host, 'AAAA'),
  ])
  const addresses = [
    ...four.records.map(address => ({ address, family: 4 as const })),
    ...six.records.map(address => ({ address, family: 6 as const })),
  ]
  if (addresses.length > 0) return { outcome: 'found', addresses }
  const isMissing = [four, six].every(({ outcome }) => outcome === 'nxdomain' || outcome === 'no_data')
  return { outcome: isMissing ? 'not_found' : 'unresolved' }
}

/** Resolves as other programs of the machine do, including `/etc/hosts`. */
function resolveBySystem(host: string): Promise<Addresses> {
  return new Promise(done => {
    systemLookup(host, { all: true, order: 'ipv4first' }, (error, found) => {
      if (error === null)
        done({
          outcome: 'found',
          addresses: found.map(({ address, family }) => ({ address, family: family as 4 | 6 })),
        })
      else done({ outcome: error.code === 'ENOTFOUND' ? 'not_found' : 'unresolved' })
    })
  })
}
