import { runService } from '../instance/run.ts'

// `npm start` runs everything on one machine and prints commands to copy.
await runService({ greeting: true })
