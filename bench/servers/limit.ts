import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

// Serves the same bytes from memory with Fastify, which is the limit.
const body = readFileSync(process.env.BENCH_BODY_FILE as string)
const app = Fastify()
app.get('/*', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(body)
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
