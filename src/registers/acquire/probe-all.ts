import type { Stream } from '@baize/registers'
import type { World } from '../../database/open.ts'
import { type ProbeOptions, type ProbeReport, probeRegister } from './probe-register.ts'

/**
 * Limits the probes at once. Regulators answer slowly, some after 30 s, and different hosts need not wait
 * for each other.
 */
const probesAtOnce = 4

type Options = Omit<ProbeOptions, 'now'> & { now: () => Date }

/** Reports in the order of the streams. */
export async function probeAll(
  world: World,
  streams: readonly Stream[],
  { now, ...options }: Options,
): Promise<ProbeReport[]> {
  const reports: ProbeReport[] = []
  const waiting = [...streams.entries()]
  const probeNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, stream] = next
      reports[index] = await probeRegister(world, stream, { ...options, now: now() })
    }
  }
  await Promise.all(Array.from({ length: probesAtOnce }, probeNext))
  return reports
}
