import { setTimeout as pause } from 'node:timers/promises'
import { memoryOfTree } from '../../test/harness/processes.ts'
import type { Service } from './start-service.ts'

const readers = 4
const samples = 20

const pathsOf = (number: number): string[] => [
  `/v1/domains/resolve?domain=mixed-${number}.example`,
  '/v1/domains/search?verdict=blocklisted',
  `/v1/companies/search/preview?q=otter${number}`,
  '/v1/coverage',
  '/v1/account',
  '/v1/nowhere',
]

export type Mixed = { answers: number; failures: number; memoryMb: number[] }

/** Reads in many ways beside those who pay, and measures the memory of the API processes together. */
export async function mix(service: Service, minutes: number): Promise<Mixed> {
  const mixed: Mixed = { answers: 0, failures: 0, memoryMb: [] }
  let isOver = false
  const reading = Promise.all(
    Array.from({ length: readers }, async (_, reader) => {
      for (let number = reader; !isOver; number += readers) {
        const paths = pathsOf(number)
        const url = service.urls[number % 2] as string
        const status = await fetch(`${url}${paths[number % paths.length]}`, {
          headers: { 'x-api-key': service.readersKey },
        }).then(
          async answer => {
            await answer.arrayBuffer()
            return answer.status
          },
          () => 500,
        )
        mixed.answers++
        if (status >= 500) mixed.failures++
      }
    }),
  )
  for (let sample = 0; sample < samples; sample++) {
    await pause((minutes * 60_000) / samples)
    const all = await Promise.all(service.apis.map(each => memoryOfTree(each.pid)))
    mixed.memoryMb.push(all.reduce((sum, each) => sum + each, 0))
  }
  isOver = true
  await reading
  return mixed
}
