import { runService } from '../instance/run-service.ts'

<<<<<<< HEAD
// `npm start`: everything on one machine, with a greeting of commands to copy.
=======
// `npm start`: the service with a greeting.
>>>>>>> 26e4cbb (Describe streams, files, journal and fetches plainly)
await runService({ greeting: true })
