import { runService } from '../instance/run-service.ts'

// `npm start`: everything on one machine, with a greeting that a newcomer can copy from.
await runService({ greeting: true })
