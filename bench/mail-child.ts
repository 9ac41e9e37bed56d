/** Writes generated mail to stdout: `mail-child BYTES`. Waits for its reader, and holds one mail. */
import { once } from 'node:events'
import { mails } from './mail-data.ts'

for (const mail of mails(Number(process.argv[2]))) if (!process.stdout.write(mail)) await once(process.stdout, 'drain')
