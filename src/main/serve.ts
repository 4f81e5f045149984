import { runService } from '../instance/run-service.ts'

<<<<<<< HEAD
// The API, as containers run it.
=======
// The service without a greeting, for containers.
>>>>>>> 26e4cbb (Describe streams, files, journal and fetches plainly)
await runService({ greeting: false })
