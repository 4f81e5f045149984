import { markets } from '../core/markets.ts'
import type { World } from '../database/open.ts'
import { readDescriptions, writeDescription } from './described/described-registers-store.ts'
import { readDescription } from './described/read-description.ts'
import { writeFacts } from './official/facts-store.ts'
import type { Stream } from './stream.ts'
import { streams } from './streams/index.ts'

const marketCodes = markets.map(market => market.code)

export async function knownStreams(world: World): Promise<Stream[]> {
  const described: Stream[] = []
  for (const { description } of await readDescriptions(world.database)) {
    const read = readDescription(description, marketCodes)
    // A description that this release no longer accepts is left out; `register describe` reports why.
    if (read.ok) described.push(read.stream)
  }
  return [...streams, ...described]
}

export async function findKnownStream(world: World, key: string): Promise<Stream | undefined> {
  return (await knownStreams(world)).find(stream => stream.key === key)
}

type DescribedRegister =
  | { ok: true; stream: string; market: string; parser_version: number }
  | { ok: false; problems: { line: number; column: number; message: string }[] }

export async function describeRegister(
  world: World,
  description: string,
  { now, checkOnly }: { now: Date; checkOnly: boolean },
): Promise<DescribedRegister> {
  const read = readDescription(description, marketCodes)
  if (!read.ok) return read
  const { key, market, parserVersion } = read.stream
  if (streams.some(stream => stream.key === key)) {
    const message = `${key} is a built-in stream; a description needs another key`
    return { ok: false, problems: [{ line: 1, column: 1, message }] }
  }
  if (!checkOnly) {
    await writeDescription(world.database, { stream: key, description, described_at: now })
    await writeFacts(world.database, [read.stream])
  }
  return { ok: true, stream: key, market, parser_version: parserVersion }
}
