/**
 * The formats of credentials that their issuers document. Each pattern is sticky, starts with a literal, and has no quantifier inside another.
 * A random token of the documented alphabet must always match: no rule asks for a run that chance may not give.
 */
import { hasDigit, hasLongRun, hasRandomRun, isJumbled, isMixedCase } from './redact-values.ts'

export interface Shape {
  /** Undefined: not a secret, and nothing inside may be taken for one. */
  readonly kind: string | undefined
  /** The literals it can start with: the scan looks at nothing else. */
  readonly starts: readonly string[]
  readonly pattern: RegExp
  /** Judges what follows the literal. */
  readonly accepts?: (tail: string) => boolean
  /** Leaves the literal start in place and redacts only what follows it. */
  readonly keepsStart?: true
  /** A more exact kind of the same span wins. */
  readonly isGeneric?: true
  /** Its starts also end ordinary names (`cache-key-<hash>`): a credential only at the start of a word. */
  readonly isWord?: true
}

type Options = Partial<Pick<Shape, 'accepts' | 'keepsStart' | 'isGeneric' | 'isWord'>>

/** `starts`: a list, or words. `tail`: the source of the pattern for what follows any of them. */
function shape(kind: string, starts: string | readonly string[], tail: string, options: Options = {}): Shape {
  const literals = typeof starts === 'string' ? starts.split(' ') : starts
  const heads = literals.map((literal) => literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  return { kind, starts: literals, pattern: new RegExp(options.keepsStart ? tail : `(?:${heads})${tail}`, 'y'), ...options }
}

/** Letters and digits, or capitals and small letters: almost every random token has both, and few words do. */
const isGenerated = (tail: string) => (hasDigit(tail) && /[A-Za-z]/.test(tail)) || isMixedCase(tail)
/** The same where all capitals are usual: words are written so too. */
const isNumbered = (tail: string) => hasDigit(tail) && /[A-Za-z]/.test(tail)
const isRandom = (tail: string) => hasRandomRun(tail, 16) || isJumbled(tail)
/** Not the camelCase of a property: at least two digits, and both cases. */
const isDense = (tail: string) => /\d\D*\d/.test(tail) && isMixedCase(tail)
/** Dense, or without enough digits by chance: then in an order of letters that no name has. */
const isDenseOrJumbled = (tail: string) => isMixedCase(tail) && (/\d\D*\d/.test(tail) || isJumbled(tail))
/** Not the name of a class or a file, where dashes may divide it. */
const isChance = (tail: string) => hasDigit(tail) && isMixedCase(tail) && isJumbled(tail)
/** Binary data in base64 has many zero bytes. */
const isNoBinary = (tail: string) => isDense(tail) && !/AA.*AA.*AA/.test(tail)

const WEBHOOK_PATH = '[\\w/-]{20,}'
const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
const NOT_WORD = '(?![\\w-])'

const AI: readonly Shape[] = [
  shape('anthropic-key', 'sk-ant-', '[\\w-]{20,}', { accepts: isGenerated }),
  shape('openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', '[\\w-]{20,}', { accepts: isGenerated }),
  shape('openai-key', 'sess-', '[A-Za-z0-9]{40}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('ai-provider-key', 'sk-lf-', UUID),
  // Letta's keys are base64.
  shape('ai-provider-key', 'sk-let-', '[A-Za-z0-9+/]{40,}={0,2}', { accepts: isGenerated }),
  shape('ai-provider-key', 'ak- as-', '[A-Za-z0-9]{22}(?![\\w-])', { accepts: isJumbled, isWord: true }),
  shape('ai-provider-key', 'key_', '[0-9a-f]{64}(?![0-9a-zA-Z])', { isWord: true }),
  shape('ai-provider-key', 'pl_', '[0-9a-f]{32}(?![0-9a-zA-Z])', { isWord: true }),
  shape('ai-provider-key', 'nk-', '[\\w-]{43}(?![\\w-])', { accepts: isChance, isWord: true }),
  shape('ai-provider-key', 'secret_', '[\\w-]{1,40}_[0-9a-f]{32}\\.[A-Za-z0-9]{32}(?![\\w-])', { isWord: true }),
  shape('ai-provider-key', 'bce-v3/ALTAK-', '[A-Za-z0-9]{21}/[0-9a-f]{40}(?![0-9a-zA-Z])', { isWord: true }),
  shape('openai-key', 'sk-', '[\\w-]{20,}', { accepts: (tail) => hasLongRun(tail) || isChance(tail) }),
  shape('google-key', 'AIza', '[\\w-]{33,40}(?![\\w-])'),
  shape('google-key', 'AQ.', '[\\w-]{40,}', { accepts: isDenseOrJumbled, isWord: true }),
  shape('google-oauth', 'ya29.', '[\\w-]{20,}', { accepts: isMixedCase }),
  shape('google-oauth', 'GOCSPX-', '[\\w-]{20,}', { accepts: isMixedCase }),
  shape('google-oauth', '1//0', '[\\w-]{20,}', { accepts: isMixedCase, isWord: true }),
  shape('groq-key', 'gsk_', '[A-Za-z0-9]{32,}'),
  shape('huggingface-token', 'hf_', '[A-Za-z0-9]{30,}', { accepts: isMixedCase }),
  shape('huggingface-token', 'api_org_', '[A-Za-z0-9]{30,}', { accepts: isMixedCase, isWord: true }),
  shape('replicate-token', 'r8_', '[A-Za-z0-9]{30,}'),
  shape('xai-key', 'xai-', '\\w{40,}'),
  shape('ai-provider-key', 'pplx- nvapi- tvly- lsv2_ jina_', '[\\w-]{20,}', { accepts: isGenerated }),
  shape('ai-provider-key', 'csk- fc-', '[\\w-]{20,}', { accepts: isRandom, isWord: true }),
  shape('ai-provider-key', 'fw_', '[A-Za-z0-9]{20,}', { accepts: isGenerated, isWord: true }),
  shape('ai-provider-key', 'ABSK', '[A-Za-z0-9+/]{60,}={0,2}', { accepts: isDense }),
  shape('ai-provider-key', 'bedrock-api-key-', '[A-Za-z0-9+/%]{40,}={0,2}', { accepts: isGenerated }),
  shape('ai-provider-key', 'pcsk_', '[A-Za-z0-9_]{40,}', { accepts: isGenerated }),
  shape('ai-provider-key', 'crsr_', '[0-9a-zA-Z]{32,}', { accepts: isGenerated }),
  shape('ai-provider-key', 'ls__ vck_ e2b_ wandb_v1_', '[A-Za-z0-9_]{24,}', { accepts: isGenerated, isWord: true }),
  shape('ai-provider-key', 'sk-helicone-', '[a-z0-9-]{28,}', { accepts: isNumbered }),
  shape('ai-provider-key', 'tgp_v1_ ctx7sk- ctx7sk_ apk_user_', '[\\w-]{32,}', { accepts: isGenerated }),
  shape('ai-provider-key', 'llx- flp_ pat_', '[A-Za-z0-9]{46,}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('ai-provider-key', 'pylf_v1_', '[a-z]{2,9}_[A-Za-z0-9]{40,}'),
  shape('ai-provider-key', 'sgamp_user_', '[0-9A-Z]{26}_[0-9a-f]{64}'),
  shape('ai-provider-key', 'wk-1.', '[0-9a-f]{64}', { isWord: true }),
  shape('ai-provider-key', 'BSA', '[\\w-]{28}(?![\\w-])', { accepts: isDenseOrJumbled, isWord: true }),
  shape('ai-provider-key', 'm0-', '[A-Za-z0-9]{40}(?![\\w-])', { accepts: isDenseOrJumbled, isWord: true }),
  shape('ai-provider-key', 'pa-', '[\\w-]{43}(?![\\w-])', { accepts: isChance, isWord: true }),
  shape('ai-provider-key', 'fk-', '[\\w-]{40,}', { accepts: isChance, isWord: true }),
  shape('ai-provider-key', 'sm_', '[A-Za-z0-9]{20,}_[A-Za-z0-9_]{24,}', { accepts: isDense, isWord: true }),
  shape('ai-provider-key', 'cog_', '[a-z0-9]{52}(?![\\w-])', { accepts: isNumbered, isWord: true }),
  shape('elevenlabs-key', 'sk_', '[0-9a-f]{48}(?![0-9a-z])'),
]

const CODE: readonly Shape[] = [
  shape('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', '[A-Za-z0-9]{30,}'),
  shape('github-token', 'github_pat_', '\\w{22,}'),
  shape(
    'gitlab-token',
    'glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glwt- gloas- glsoat- glffct-',
    '[\\w-]{20,}(?:\\.[0-9a-z]{2,9}){0,2}',
    { accepts: isGenerated },
  ),
  shape('gitlab-token', 'GR1348941', '[\\w-]{20,}', { accepts: isGenerated }),
  shape('npm-token', 'npm_', '[A-Za-z0-9]{36}(?![A-Za-z0-9])'),
  shape('pypi-token', 'pypi-', '[\\w-]{50,}', { accepts: isGenerated }),
  shape('registry-token', 'dckr_pat_ dckr_oat_', '[\\w-]{20,}', { accepts: isGenerated }),
  shape('registry-token', 'rubygems_', '[0-9a-f]{48}'),
  shape('registry-token', 'cio', '[A-Za-z0-9]{32}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('registry-token', 'CLOJARS_', '[a-z0-9]{60}', { accepts: isNumbered }),
  shape('registry-token', 'AKCp', '[A-Za-z0-9]{69,}', { accepts: isGenerated }),
  shape('registry-token', 'cmVmd', '[A-Za-z0-9]{59}(?![\\w+/-])', { accepts: isGenerated, isWord: true }),
  shape('registry-token', 'oy2', '[a-z0-9]{43}(?![\\w-])', { accepts: isNumbered, isWord: true }),
  shape('service-token', 'CCIPAT_ CCIPRJ_', '[A-Za-z0-9]{20,}_[0-9a-f]{40}'),
  shape('service-token', 'squ_ sqp_ sqa_', '[0-9a-f]{40}(?![0-9a-zA-Z])'),
  shape('service-token', 'ATCTT3 ATATT3 ATOTT3', '[\\w=-]{24,}', { accepts: isGenerated }),
  shape('service-token', 'ATBB', '[A-Za-z0-9]{20,}', { accepts: isNumbered, isWord: true }),
  shape('service-token', 'sgp_', '(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}(?![0-9a-zA-Z])'),
  shape('service-token', 'slk_ sgd_', '[0-9a-f]{64}', { isWord: true }),
  shape('service-token', 'BBDC-', '[A-Za-z0-9+/]{40,}={0,2}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'gb_api_', '[A-Za-z0-9]{36,}', { accepts: isGenerated }),
  shape('service-token', 'lip_', '[A-Za-z0-9]{20,}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'bkua_', '[0-9a-f]{40}(?![0-9a-zA-Z])'),
  shape('service-token', 'API-', '[A-Z0-9]{25,28}(?![\\w-])', { accepts: isNumbered, isWord: true }),
  shape('github-token', 'tid=', '[0-9a-f]{32};[\\w=;.:/-]{8,600}:[0-9a-f]{64}'),
  shape('registry-token', 'jsrp_ jsrd_', '[A-Za-z0-9]{20,}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'bkct_', '[A-Za-z0-9]{36,}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'dbtc_ dbtu_', '[\\w=-]{36,}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'vtwn_', '[A-Za-z0-9]{20,}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'rdme_', '[a-z0-9]{70}'),
  shape('service-token', 'ico-', '[A-Za-z0-9]{32}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'pnu_ pnb_', '[A-Za-z0-9]{36}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'sm_aat_ sm_pat_ sm_sat_', '[A-Za-z0-9]{16}(?![A-Za-z0-9])', { accepts: isGenerated }),
  shape('service-token', 'phx_ phs_', '[A-Za-z0-9]{36,}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'apify_api_', '[A-Za-z0-9]{30,}', { accepts: isGenerated }),
  shape('service-token', 'dt0c01. dt0s01. dt0s16.', '[A-Z0-9a-z]{8,24}\\.[A-Z0-9a-z]{64}'),
  shape('service-token', 'CFPAT-', '[\\w-]{43}(?![\\w-])', { accepts: isGenerated }),
  shape('service-token', 'perm: perm-', '[A-Za-z0-9+/]{4,}={0,2}\\.[A-Za-z0-9+/]{6,}={0,2}\\.[A-Za-z0-9+/]{20,}={0,2}', { isWord: true }),
  shape('service-token', 'tr_pat_', '[a-z0-9]{40}', { accepts: isNumbered, isWord: true }),
  shape('service-token', 'ory_pat_ ory_apikey_ ory_at_', '[\\w-]{30,}', { accepts: isGenerated }),
  shape('service-token', 'tr_dev_ tr_prod_ tr_stg_', '[A-Za-z0-9]{20,}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'signkey-prod- signkey-test- signkey-branch-', '[0-9a-f]{32,}'),
  shape('service-token', 'sktsec_', '[\\w-]{30,}', { accepts: isGenerated }),
  shape('service-token', 'configcat-sdk-1/', '[\\w-]{22}/[\\w-]{22}(?![\\w-])'),
  shape('service-token', 'dvc_server_', '[\\w-]{30,}', { accepts: isGenerated }),
  shape('service-token', 'snyk_', '(?:uat|sat|pat)\\.[0-9a-f]{8}\\.[\\w.-]{40,}'),
]

const CHAT: readonly Shape[] = [
  shape('slack-token', 'xoxa- xoxb- xoxc- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-', '[A-Za-z0-9.-]{10,255}', {
    accepts: (tail) => hasDigit(tail) || hasLongRun(tail),
  }),
  shape('slack-token', 'xoxd-', '[A-Za-z0-9%+/-]{20,}={0,2}', { accepts: isGenerated }),
  shape('slack-webhook', 'hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/', WEBHOOK_PATH, {
    keepsStart: true,
  }),
  shape('discord-webhook', 'discord.com/api/webhooks/ discordapp.com/api/webhooks/', WEBHOOK_PATH, { keepsStart: true }),
  shape('discord-token', 'M N O', '[\\w-]{22,27}\\.[\\w-]{6,7}\\.[\\w-]{27,40}(?![\\w-])', { accepts: isMixedCase, isWord: true }),
  shape('telegram-token', 'bot', '\\d{8,10}(?::|%3A)AA[\\w-]{32,34}(?![\\w-])', { keepsStart: true, isWord: true }),
  shape('discord-token', 'mfa.', '[\\w-]{84}(?![\\w-])', { isWord: true }),
  shape('service-token', 'hooks.zapier.com/hooks/catch/', '\\d{4,}/[a-z0-9]{5,}', { keepsStart: true }),
  shape('service-token', 'mlsn.', '[0-9a-f]{64}', { isWord: true }),
  shape('service-token', 'os_v2_app_ os_v2_org_', '[a-z2-7]{96,}'),
  shape('service-token', 'KEY', '[0-9A-F]{32}_[A-Za-z0-9]{22}(?![\\w-])', { isWord: true }),
  shape('service-token', 'nyk_v0_', '[A-Za-z0-9]{40,}', { accepts: isGenerated }),
  shape('service-token', 'pk_prod_ pk_test_', '[A-Z0-9]{28}(?![\\w-])', { accepts: isNumbered, isWord: true }),
  shape('service-token', 'webhook.office.com/webhookb2/', '[\\w/@-]{40,}', { keepsStart: true }),
  shape('twilio-key', 'SK', '[0-9a-f]{32}(?![0-9A-Za-z])'),
  shape('sendgrid-key', 'SG.', '[\\w-]{16,32}\\.[\\w-]{32,64}(?![\\w-])'),
  shape('mailgun-key', 'key-', '[0-9a-f]{32}(?![0-9A-Za-z])', { isWord: true }),
  shape('service-token', 'xkeysib- xsmtpsib-', '[0-9a-f]{64}-[A-Za-z0-9]{16}'),
  shape('service-token', 'with/key/', '[\\w-]{20,43}(?![\\w-])', { accepts: isGenerated, keepsStart: true, isWord: true }),
  shape('service-token', 'infura.io/v3/ infura.io/ws/v3/', '[0-9a-f]{32}(?![0-9a-zA-Z])', { keepsStart: true, isWord: true }),
  shape('service-token', 'alchemy.com/v2/ alchemyapi.io/v2/ alchemy.com/nft/v3/', '[\\w-]{21,40}(?![\\w-])', {
    accepts: isGenerated,
    keepsStart: true,
    isWord: true,
  }),
  shape('service-token', 'apis/bot/v2/hook/', UUID, { keepsStart: true, isWord: true }),
  shape('service-token', 'webhook/send?key=', UUID, { keepsStart: true, isWord: true }),
  shape('service-token', 'hooks/', '[a-z0-9]{26}(?![\\w-])', { accepts: isNumbered, keepsStart: true, isWord: true }),
  shape('service-token', 'make.com/', '[a-z0-9]{32}(?![\\w-])', { accepts: isNumbered, keepsStart: true, isWord: true }),
  shape('service-token', 'quiknode.pro/', '[0-9a-f]{40}(?![0-9a-zA-Z])', { keepsStart: true, isWord: true }),
  shape('service-token', 're_', '[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'md-', '[A-Za-z0-9_-]{22}(?![\\w-])', {
    accepts: (tail) => isJumbled(tail) || (isDense(tail) && /^[^_-]+$/.test(tail)),
    isWord: true,
  }),
]

const MONEY: readonly Shape[] = [
  shape('stripe-key', 'sk_live_ sk_test_ sk_prod_', '[\\w-]{32,}', { accepts: isDense }),
  shape('stripe-key', 'sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_ sk_org_ sk_org_live_ sk_org_test_', '[A-Za-z0-9]{16,}'),
  shape('service-token', 'live_', '[A-Za-z0-9]{30}(?![\\w=-])', { accepts: isDenseOrJumbled, isWord: true }),
  shape('service-token', 'rzp_live_ rzp_test_', '[A-Za-z0-9]{14}(?::[A-Za-z0-9]{24})?(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'sk_ sk_sbox_', `(?:${UUID}|[a-z2-7]{26}[a-z2-7*#$=])${NOT_WORD}`, { accepts: isNumbered, isWord: true }),
  shape('service-token', 'sk_', '[\\w-]{43}(?![\\w-])', { accepts: isChance, isWord: true }),
  shape('service-token', 'sk_ testsk_', '[A-Za-z0-9]{20,44}\\.(?:us|eu|ca|au|in)(?!\\w)', { accepts: isGenerated, isWord: true }),
  // Adyen ends its keys in signs of every kind.
  shape('service-token', 'AQE', '[A-Za-z0-9+/=]{60,}-[A-Za-z0-9+/=]{30,}(?:-[^\\s"\'`]{6,64})?', { accepts: isDense, isWord: true }),
  shape('stripe-key', 'whsec_', '[A-Za-z0-9+/]{24,}={0,2}'),
  shape('stripe-key', 'pi_ seti_', '[A-Za-z0-9]{24}_secret_[A-Za-z0-9]{25}(?![A-Za-z0-9])'),
  shape('service-token', 'sk_1x sk_2x sk_3x sk_5x sk_10x sk_test_1x sk_test_2x sk_test_3x sk_test_5x sk_test_10x', '[1-3]_[0-9a-fA-F]{64}'),
  shape('service-token', 'ak_live_', '[A-Za-z0-9]{30}(?![A-Za-z0-9])', { accepts: isGenerated }),
  shape('service-token', 'live_ test_', '[0-9a-f]{35}(?![0-9a-zA-Z])', { isWord: true }),
  shape('service-token', 'live_', '[\\w=-]{40}(?![\\w=-])', { accepts: isDenseOrJumbled, isWord: true }),
  shape('service-token', 'live_sk_ test_sk_ live_gsk_ test_gsk_', '[A-Za-z0-9]{30,}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'xnd_production_ xnd_development_', '[A-Za-z0-9]{40,}', { accepts: isGenerated }),
  shape('service-token', 'Mid-server- SB-Mid-server-', '[\\w-]{20,}', { accepts: isGenerated }),
  shape('service-token', 'pdl_live_apikey_ pdl_sdbx_apikey_', '[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}'),
  shape('service-token', 'ramp_sec_', '[A-Za-z0-9]{48}'),
  shape('service-token', 'polar_pat_ polar_oat_', '[A-Za-z0-9_]{30,}', { accepts: isGenerated }),
  shape('service-token', 'prtapi_', '[0-9a-fA-F]{32}'),
  shape('service-token', 'rh-api-', UUID),
  shape('service-token', 'persona_production_ persona_sandbox_', UUID),
  shape(
    'service-token',
    'api_live. api_live_ca. api_live_us. api_sandbox. api_sandbox_ca. api_sandbox_us.',
    '[\\w-]{11}\\.[\\w-]{32}(?![\\w-])',
  ),
  shape('service-token', 'sbx: prd:', '[A-Za-z0-9]{24}\\.[A-Za-z0-9]{32}(?![A-Za-z0-9])', { isWord: true }),
  shape('service-token', 'EAAA', '[\\w-]{22,}', { accepts: isNoBinary, isWord: true }),
  shape('service-token', 'sq0atp- sq0csp-', '[\\w-]{22,}', { accepts: isGenerated }),
  shape('service-token', 'EZAK EZTK', '[A-Za-z0-9]{54}(?![A-Za-z0-9])'),
  shape('service-token', 'shippo_live_ shippo_test_', '[0-9a-fA-F]{40}'),
  shape('service-token', 'duffel_test_ duffel_live_', '[\\w=-]{43}', { accepts: isGenerated }),
  shape('service-token', 'FLWSECK_TEST- FLWSECK-', '[0-9a-h]{12,32}(?:-X)?'),
  shape('service-token', 'access-sandbox- access-development- access-production-', UUID),
  shape('service-token', 'access_token$production$ access_token$sandbox$', '[0-9a-z]{16}\\$[0-9a-f]{32}'),
  shape('service-token', 'shpat_ shpca_ shppa_ shpss_ shptka_', '[0-9a-fA-F]{32}'),
  shape('service-token', 'atkn_', '[0-9a-f]{64}', { isWord: true }),
]

const CLOUD: readonly Shape[] = [
  shape('aws-access-key', 'AKIA ASIA ABIA ACCA', '[A-Z0-9]{16}(?![A-Za-z0-9])'),
  shape('aws-access-key', 'A3T', '[A-Z0-9]{17}(?![A-Za-z0-9])', { isWord: true }),
  shape('cloud-token', 'AVNS_', '[\\w-]{16,24}(?![\\w-])', { accepts: isGenerated }),
  shape('cloud-token', 'ddp_ ddw_ ddo_', '[A-Za-z0-9]{36}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'npg_', '[A-Za-z0-9]{12,}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'nbwt1_ edbt1_', '[\\w-]{40,}', { accepts: isGenerated }),
  shape('cloud-token', 'xau_', '[A-Za-z0-9]{32,}', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'salad_cloud_', '[0-9A-Za-z]{1,7}_[0-9A-Za-z]{7,}', { accepts: isGenerated }),
  shape('cloud-token', 'ptr_', '[A-Za-z0-9+/]{43}=(?![\\w=])', { isWord: true }),
  shape('cloud-token', 'kpat_ spat_', '[A-Za-z0-9]{40,}', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'zpka_', '[0-9a-z]{32}_[0-9a-z]{8}(?![\\w-])'),
  // A Cloudflare tunnel's: one base64 object.
  shape('cloud-token', 'eyJhIjoi', '[A-Za-z0-9+/]{100,}={0,3}'),
  shape('cloud-token', 'LTAI', '[A-Za-z0-9]{12,24}(?![A-Za-z0-9])', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'AKID', '[A-Za-z0-9]{32}(?![A-Za-z0-9])', { accepts: isDenseOrJumbled, isWord: true }),
  shape('cloud-token', 'AKLT', '[A-Za-z0-9]{40,48}(?![A-Za-z0-9+/=])', { accepts: isDenseOrJumbled, isWord: true }),
  shape('cloud-token', 'GOOG1', '[A-Z2-7]{40,60}(?![A-Za-z0-9])', { accepts: isNumbered, isWord: true }),
  shape('cloud-token', 'DO00 DO801', '[A-Z0-9]{15,16}(?![A-Za-z0-9])', { accepts: isNumbered, isWord: true }),
  shape('cloud-token', 'vercel_blob_rw_', '[A-Za-z0-9]{16}_[A-Za-z0-9]{24,}'),
  shape('cloud-token', 'CCDB1_', '[A-Za-z0-9]{22}_[A-Za-z0-9]{40}'),
  shape('cloud-token', 'token-', '[a-z0-9]{5}:[a-z0-9]{54}(?![a-z0-9])', { isWord: true }),
  shape('cloud-token', 'SWMKEY-1-', '[\\w+/-]{43}'),
  shape('cloud-token', 'SWMTKN-1-', '[a-z0-9]{40,60}-[a-z0-9]{20,30}(?![\\w-])'),
  shape('cloud-token', 'dop_v1_ doo_v1_ dor_v1_', '[\\w-]{30,}', { accepts: isGenerated }),
  shape('cloud-token', 'dapi dose', '[0-9a-f]{32}(?:-\\d)?(?![0-9a-zA-Z])', { isWord: true }),
  shape('cloud-token', 'hvs. hvb. hvr.', '[\\w-]{24,}', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 's.', '[A-Za-z0-9]{24}(?![\\w([-]|\\.(?!(?:env|json|key|log|md|pdf|pem|txt|ya?ml)\\b)\\w)', {
    accepts: isDenseOrJumbled,
    isWord: true,
  }),
  shape('cloud-token', 'sbp_', '(?:oauth_|v0_)?[0-9a-f]{40}(?![0-9a-zA-Z])'),
  shape('cloud-token', 'sb_secret_', '[\\w-]{22,}', { accepts: isGenerated }),
  shape('cloud-token', 'tskey-', '(?:auth|api|client|scim|webhook|key)-[\\w-]{16,}', { accepts: isGenerated }),
  shape('cloud-token', 'pul-', '[0-9a-f]{40}(?![0-9a-zA-Z])', { isWord: true }),
  shape('cloud-token', 'dp.pt. dp.ct. dp.sa. dp.scim. dp.audit. dp.said.', '[A-Za-z0-9]{40,44}', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'dp.st.', '(?:[\\w-]{2,35}\\.)?[A-Za-z0-9]{40,44}', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', ['FlyV1 '], 'fm\\d[ar]?_[\\w+/=,-]{40,}'),
  shape('cloud-token', 'fm2_ fm1r_ fm1a_', '[A-Za-z0-9+/]{80,}={0,3}', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'fo1_', '[\\w-]{43}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'vcp_ vci_ vca_ vcr_', '[A-Za-z0-9]{24,}', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'nfp_ nfc_ nfo_ nfb_ nfu_', '[A-Za-z0-9]{36,}', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'HRKU-', `(?:AA[\\w-]{58}|${UUID})${NOT_WORD}`),
  shape('cloud-token', 'napi_', '[a-z0-9]{40,}', { accepts: isNumbered }),
  shape('cloud-token', 'pscale_tkn_ pscale_oauth_ pscale_pw_', '[\\w=.-]{32,}', { accepts: isGenerated }),
  shape('cloud-token', 'v1.0-', '[0-9a-f]{24}-[0-9a-f]{146}', { isWord: true }),
  shape('cloud-token', 'rnd_', '[A-Za-z0-9]{28,}', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'tk-us- tk-eu-', '[\\w-]{48}', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'dnkey-', '[\\w=-]{26}-[\\w=-]{52}'),
  shape('cloud-token', 'sha256~', `[\\w-]{43}${NOT_WORD}`, { accepts: isGenerated }),
  shape('cloud-token', '4b1d', `[A-Za-z0-9]{38}${NOT_WORD}`, { accepts: isMixedCase, isWord: true }),
  shape('cloud-token', 'AQVN', '[\\w-]{35,38}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'YC', '[\\w-]{38}(?![\\w-])', { accepts: isMixedCase, isWord: true }),
  shape('cloud-token', 't1.', '[\\w-]{7,}={0,2}\\.[\\w-]{86}={0,2}', { isWord: true }),
  shape('cloud-token', 'cfut_ cfat_ cfk_', '[\\w-]{40,}', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'scw_ SCW', '[A-Z0-9]{17}(?![A-Za-z0-9])', { accepts: isNumbered, isWord: true }),
  shape('cloud-token', 'ops_', 'eyJ[\\w+/-]{40,}={0,3}'),
  shape('service-token', 'A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}(?![\\w-])', {
    isWord: true,
  }),
  shape('cloud-token', 'cflt', '[A-Za-z0-9+/]{60}(?![\\w+=])', { accepts: isDenseOrJumbled, isWord: true }),
  shape('cloud-token', 'mdb_sa_sk_', '[\\w-]{36,}', { accepts: isGenerated }),
  shape('cloud-token', 'tsec_', '[\\w+/-]{40,}={0,2}', { accepts: isGenerated, isWord: true }),
  shape('cloud-token', 'ucat_', '[A-Z0-9]{26}(?![\\w-])', { accepts: isNumbered }),
  shape('cloud-token', 'standard_', '[0-9a-f]{200,}(?![0-9a-zA-Z])', { isWord: true }),
  shape('cloud-token', 'K00', '[0-9][A-Za-z0-9+/]{27}(?![\\w+/=])', { accepts: isDense, isWord: true }),
  shape('aws-access-key', 'amzn.mws.', UUID),
  shape('aws-access-key', 'amzn1.oa2-cs.v1.', '[0-9a-f]{64}'),
  // A seed of NATS, of whatever kind.
  shape('cloud-token', 'SA SC SN SO SU SX', '[A-Z2-7]{56}(?![A-Za-z0-9])', { accepts: isNumbered, isWord: true }),
  shape('cloud-token', 'prod: dev:', '[a-z]{2,20}-[a-z]{2,20}-\\d{1,4}\\|[\\w=+/-]{40,}', { isWord: true }),
  shape('cloud-token', 'y0_', '[\\w-]{50,}', { accepts: isGenerated, isWord: true }),
  shape('age-key', 'AGE-SECRET-KEY-1', '[0-9A-Z]{50,}'),
  shape('age-key', 'AGE-SECRET-KEY-PQ-1', '[0-9A-Z]{50,}'),
]

const SERVICES: readonly Shape[] = [
  shape('service-token', 'lin_api_ lin_oauth_', '[A-Za-z0-9]{32,}', { accepts: isGenerated }),
  shape('service-token', 'ntn_', '[0-9]{11}[A-Za-z0-9]{32,}', { isWord: true }),
  shape('service-token', 'secret_', '[A-Za-z0-9]{43}(?![A-Za-z0-9])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'figd_ figdr_ figu_ figuh_ figo_ figoh_ figor_', '[\\w-]{24,}', { accepts: isGenerated }),
  shape('service-token', 'sntrys_ sntryu_ sntrya_ sntryi_', '[\\w=+/-]{24,}', { accepts: isGenerated }),
  shape('service-token', 'glsa_', '[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}'),
  shape('service-token', 'glc_', '[A-Za-z0-9+/]{32,}={0,3}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'NRAK- NRII- NRIQ- NRRA- NRJS-', '[\\w-]{19,}', { accepts: isGenerated }),
  shape('service-token', 'PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}'),
  shape('service-token', 'PMAT-', '[0-9A-Z]{26}'),
  shape('service-token', 'pat-na1- pat-na2- pat-eu1- pat-ap1-', UUID),
  // Airtable. Its tokens are told from names by their second part.
  shape('service-token', 'pat', '[A-Za-z0-9]{14}\\.[0-9a-f]{64}(?![0-9a-zA-Z])', { isWord: true }),
  shape('service-token', 'pat. sat.', '[\\w-]{22}\\.[0-9a-zA-Z]{24}\\.[0-9a-zA-Z]{20}(?![\\w-])', { isWord: true }),
  shape('service-token', 'tfp_', '[\\w.=-]{40,}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'fio-u-', '[\\w=-]{64}', { accepts: isGenerated }),
  shape('service-token', 'p8e-', '[A-Za-z0-9]{32}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 's-s4t2ud- s-s4t2af-', '[0-9a-f]{64}', { isWord: true }),
  shape('service-token', 'sc_ ext_ scauth_ authress_', '[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[\\w+/=-]{30,120}', {
    isWord: true,
  }),
  shape('service-token', 'EAAM EAAC EAAB EAAG EAAJ', '[A-Za-z0-9]{60,}', { accepts: isNoBinary, isWord: true }),
  shape('service-token', 'EAA', '[A-Za-z0-9]{90,}(?![+/=])', { accepts: isNoBinary, isWord: true }),
  shape('service-token', 'WPL_AP1.', '[A-Za-z0-9]{16}\\.[A-Za-z0-9+/]{4,}={0,2}'),
  shape('service-token', 'ddapp_', '[A-Za-z0-9]{34}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'ddpat_', '[A-Za-z0-9_]{40,}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'secret-', '[A-Za-z0-9]{43}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'st.', '[0-9a-f]{8}-?[0-9a-f-]{16,28}\\.[0-9a-f]{32}\\.[0-9a-f]{32}(?![0-9a-zA-Z])', { isWord: true }),
  shape('service-token', '0.', `${UUID}\\.[A-Za-z0-9]{20,}:[A-Za-z0-9+/]{20,}={0,2}`, { isWord: true }),
  shape('service-token', 'oauth:', '[a-z0-9]{30}(?![\\w-])', { accepts: isNumbered, isWord: true }),
  // The private half of a wallet.
  shape('service-token', 'xprv yprv zprv tprv', '[1-9A-HJ-NP-Za-km-z]{100,112}(?![A-Za-z0-9])', { isWord: true }),
  shape('service-token', 'sk', '[A-Za-z0-9]{79,256}(?![\\w+/=-])', { accepts: isDense, isWord: true }),
  shape('service-token', 'waka_', UUID),
  shape('service-token', 'scp-live- scp-test-', '[0-9a-f]{32}(?![0-9a-zA-Z])'),
  shape('service-token', 'web_', '[0-9a-f]{64}(?![0-9a-zA-Z])', { isWord: true }),
  shape('service-token', 'AAAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%]{60,}(?![\\w+/=])', {
    accepts: (tail) => tail.includes('%') && isDense(tail),
    isWord: true,
  }),
  shape('service-token', 'IGQVJ', '[\\w-]{80,}', { accepts: isDense }),
  shape('service-token', '0/ 1/ 2/', '[0-9]{15,17}(?:/[0-9]{15,17})?:[0-9a-f]{32}(?![0-9a-zA-Z])', { isWord: true }),
  shape('service-token', 'ATTA', '[0-9a-f]{60,64}[0-9A-Fa-f]{8}(?![0-9A-Za-z])'),
  shape('service-token', 'cnvca', '[\\w-]{50,}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'pk_', '(?:[0-9a-f]{34}|[0-9]{6,9}_[0-9A-Z]{32})(?![\\w-])', { isWord: true }),
  shape('service-token', 'pk.', '[0-9a-f]{32}(?![\\w-]|\\.\\w)', { isWord: true }),
  shape('service-token', 'sec-c-', '[A-Za-z0-9]{48,}={0,2}', { accepts: isGenerated }),
  shape('service-token', 'sec-c-', UUID),
  shape('service-token', 'aio_', '[A-Za-z0-9]{28}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'api_', '[A-Za-z0-9]{22}\\.[A-Za-z0-9]{22}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'alcht_', '[A-Za-z0-9]{30}(?![\\w-])', { accepts: isGenerated }),
  shape('service-token', 'BBFF- BBUS-', '[0-9a-zA-Z]{30}(?![\\w-])', { accepts: isGenerated }),
  shape('service-token', 'endr+', '[A-Za-z0-9-]{16}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'flb_live_', '[0-9a-zA-Z]{20}(?![\\w-])', { accepts: isGenerated }),
  shape('service-token', 'shltm_', '[\\w-]{40}(?![\\w-])', { accepts: isGenerated }),
  shape('service-token', 'NF-', '[A-Za-z0-9]{32}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'rootly_', '[0-9a-f]{64}'),
  shape('service-token', 'thog-secret- thog-agent-', '[0-9a-f]{32}'),
  shape('service-token', '00D', '[A-Za-z0-9]{12}![\\w.]{80,}', { isWord: true }),
  shape('service-token', '5AEP861', '[A-Za-z0-9._=]{70,}', { accepts: isDense, isWord: true }),
  shape('service-token', 'VF.', '(?:(?:DM|WS)\\.)?[0-9a-fA-F]{24}\\.[A-Za-z0-9]{16}(?![\\w-])', { isWord: true }),
  shape('service-token', '1000.', '[0-9a-f]{32}\\.[0-9a-f]{32}(?![0-9a-zA-Z])', { isWord: true }),
  shape('service-token', 'hcaik_ hcamk_ hcxik_ hcxmk_ hcbik_ hcbmk_', '[0-9a-z]{58}(?![\\w-])'),
  shape('service-token', 'xaat- xapt-', UUID),
  shape('service-token', 'ak_2', '[A-Za-z0-9]{26}(?![\\w-])', { accepts: isDense, isWord: true }),
  shape('service-token', '2', '[A-Za-z0-9]{26}_[0-9][A-Za-z0-9]{20}(?![\\w-])', { accepts: isDense, isWord: true }),
  shape('service-token', 'KEY0', '[0-9A-Z]{28,31}_[A-Za-z0-9]{22}(?![\\w-])', { isWord: true }),
  shape('service-token', 'ap2_', UUID, { isWord: true }),
  shape('service-token', 't-', '[0-9a-f]{24}-[0-9a-f]{24}(?![\\w-])', { isWord: true }),
  // A token of the web, in base64 once more.
  shape('jwt', 'ZXlK', '[A-Za-z0-9+/_-]{60,}={0,2}', { accepts: isDense, isWord: true }),
  shape('service-token', 'lin_wh_', '[A-Za-z0-9]{32,}', { accepts: isGenerated }),
  shape('service-token', 'secret-live- secret-test-', '[\\w-]{30,}={0,2}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'retool_01', '[a-z0-9]{24,}', { accepts: isNumbered }),
  shape('service-token', 'prj_live_sk_ prj_test_sk_', '[0-9a-f]{40}'),
  shape('service-token', 'unkey_', '[A-Za-z0-9]{20,}(?![\\w-])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'sl.u.', '[\\w=-]{100,}', { accepts: isDense, isWord: true }),
  shape('service-token', 'sl.', '[\\w=-]{120,}', { accepts: isDense, isWord: true }),
  shape('service-token', 'sk.eyJ tk.eyJ p.eyJ', '[\\w-]{40,}\\.[\\w-]{20,}'),
  shape('service-token', 'sdk- api- mob- rel-', `${UUID}${NOT_WORD}`, { isWord: true }),
  shape('service-token', '00', '[\\w-]{40}(?![\\w-])', { accepts: isChance, isWord: true }),
  shape('service-token', 'secret_user_ secret_admin_ secret_readonly_', '[\\w+/-]{40,}={0,2}', { accepts: isDense, isWord: true }),
  shape('service-token', 'AQ BQ', '[\\w-]{100,}(?![\\w+/=-])', { accepts: isNoBinary, isWord: true }),
  shape('service-token', 'act. rft.', '[A-Za-z0-9]{40,}![0-9]{4}\\.[a-z]{2}', { isWord: true }),
  shape('service-token', 'pina_ pinc_ pinr.', '[A-Za-z0-9]{40,}', { accepts: isNumbered, isWord: true }),
  shape('service-token', 'luma-', `${UUID}-${UUID}`, { isWord: true }),
  shape('service-token', 'admin- prod- user-', '[0-9a-f]{64}v[23](?![0-9a-zA-Z])', { isWord: true }),
  shape('service-token', 'user:gh.', '[\\w-]{22}:[\\w-]{22}(?![\\w-])', { isWord: true }),
  shape('service-token', 'console-', '[A-Za-z0-9]{40,48}(?![\\w-])', { accepts: isDenseOrJumbled, isWord: true }),
  shape('service-token', 'fnA', '[\\w-]{37}(?![\\w-])', { accepts: isChance, isWord: true }),
  shape('service-token', 'gitpod_pat_ fbk_', '[\\w.-]{40,}', { accepts: isDenseOrJumbled, isWord: true }),
  shape('service-token', 'cu_', '[0-9a-f]{32}(?![0-9a-zA-Z])', { isWord: true }),
  shape('service-token', 'private_', '[\\w+/-]{27}=(?![\\w=])', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'eg1~', '[\\w.-]{60,}', { isWord: true }),
  shape('cookie', 'WARNING:-DO-NOT-SHARE-THIS.', '[^\\s"\'`;]{20,200}?\\|_[0-9A-F]{60,}', { isWord: true }),
  shape('service-token', 'tly- cal_live_ cal_test_', '[A-Za-z0-9]{32,}', { accepts: isGenerated, isWord: true }),
  shape('service-token', 'dG9rO', '[A-Za-z0-9+/=]{40,}', { accepts: isDense, isWord: true }),
  shape('service-token', 'bb_live_ bb_test_ rpa_', '[A-Za-z0-9_-]{24,}', { accepts: isGenerated, isWord: true }),
  shape(
    'jwt',
    ['1', '2', '3', '4'].flatMap((version) => [`v${version}.local.`, `v${version}.public.`]),
    '[\\w-]{60,}',
    { isWord: true },
  ),
  shape('jwt', 'eyJ', '[\\w-]{8,}\\.(?:eyJ[\\w-]{8,}(?:\\.[\\w-]*)?|[\\w-]*(?:\\.[\\w-]{8,}){1,3})'),
  // Grafana's older keys are one base64 object.
  shape('service-token', 'eyJrIjoi', '[A-Za-z0-9+/]{70,}={0,3}'),
  shape('authorization', ['Bearer ', 'bearer '], '[\\w.~+/=-]{20,}', { accepts: isRandom, keepsStart: true, isGeneric: true }),
]

const HASHES: Shape = {
  kind: undefined,
  starts: ['sha1-', 'sha256-', 'sha384-', 'sha512-'],
  pattern: /sha\d{1,3}-[\w+/=-]{20,}/y,
  isWord: true,
}

/** In this order: the first that matches counts. */
export const SHAPES: readonly Shape[] = [HASHES, ...AI, ...CODE, ...CHAT, ...MONEY, ...CLOUD, ...SERVICES]
