import { runService } from '../instance/run-service.ts'

// `npm start`: everything on one machine, with a greeting of commands to copy.
await runService({ greeting: true })
