/** Word classes for topics: verbs end a phrase, adjectives need a noun. Lists and endings only. */

const list = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

const VERBS = list(`
abort accept accomplish account achieve acquire act adapt address adjust admit adopt advise affect afford agree aim align allocate allow alter announce anticipate appear append apply appoint
approach approve argue arise arrange arrive assert assess assign assist assume attach attempt attend avoid await become beg begin behave believe belong blame blow boil borrow bother break breathe bring
broke broken build buy call cancel carry catch cause cease celebrate change chase check choose cite clarify clean clear click climb close collapse collect combine come commence communicate compare compete compile complain complete
comprise compute conclude conduct configure confirm confuse connect consider consist construct consume contain continue contribute convert convince cope copy correspond count cover create cross cut
deal debug decide declare decline decrease delete deliver demand demonstrate deny depend deploy derive describe deserve destroy detect determine develop die differ disable disagree disappear discard discover discuss dismiss display distinguish distribute divide do double doubt drag draw dress drink drive drop duplicate
earn ease eat edit elect eliminate emerge emphasize employ enable encounter encourage end enforce engage enhance enjoy ensure enter escape establish estimate evaluate exceed exchange exclude execute exist expand expect explain explore expose express extend extract
fail fall feed feel fetch fight figure fill find finish fit fix fly focus follow forbid force forget forgive form freeze gain gather generate get give go grab grant greet grow guarantee guess handle hang happen hate have hear help hesitate hide hit hold hope hurry hurt
identify ignore illustrate imagine implement imply impose improve include increase incur indicate infer inform inherit initiate inject insert insist inspect inspire install instruct intend interact interpret interrupt introduce invest investigate invite involve invoke isolate issue iterate join judge jump justify keep kick kill kneel knock know
lack land last laugh launch lay lead lean leap learn leave lend let lie lift light like limit listen live load lock look lose love lower maintain make manage mark match matter mean measure meet mention mind miss mitigate modify mount move need neglect note notice
obey obtain occur offer omit open operate oppose organize outline overcome overlap overlook override overwrite owe own parse participate pass paste pause pay perceive perform permit persist persuade pick place plan play plug point pop populate possess postpone pour practise praise pray prefer prepare preserve press presume pretend prevent proceed produce prohibit promise promote prompt propose protect prove provide publish pull pursue push put
quit quote raise reach react read realize rebuild recall receive reckon recognize recommend reconsider recover recreate reduce redirect refer reflect refuse regard regret reject relate relax rely remain remember remind remove rename render repair repeat replace reply report represent reproduce request require rescue resemble resist resolve respond restart restore restrict result resume retain retire retrieve retry return reuse reveal revert ride ring rise risk roll rub run rush
satisfy save say scan scare scatter scold score scratch scream scroll seal search see seek seem select sell send separate serve set settle shake shape share shine shoot shorten shout show shrink shut sigh simplify sing sink sit skip sleep slide slip smell smile solve sort sound spare speak specify spell spend spill spin split spoil spot spread stand stare start state stay steal stick stop strengthen stretch strike strip struggle submit succeed suffer suggest suit summarize supply suppose surprise surround survive suspect swap swear sweep swim swing switch
take talk taste teach tear tell tend thank think threaten throw tidy tie toggle tolerate touch trace track trade trail transform translate travel treat trigger trim trust try tweak twist type understand undo unify unlock unwrap update upgrade upload urge use utilize validate vanish vary verify view violate visit wait wake walk want warm warn wash waste watch wave wear weigh welcome win wipe wish wonder work worry wrap write yell yield
`)

const IRREGULAR = list(`
arose ate awoke became began begun bent bet bit blew bought bound bred brought built burnt burst cast caught chose chosen clung came crept cut dealt did done dug drank drawn drew driven drove drunk dwelt eaten fallen fed fell felt fled flew flown flung forbade forgave forgot forgotten fought found froze frozen gave given gone got gotten grew ground grown had heard held hid hidden hung kept knelt knew known laid lain leapt learnt led left lent lit lost made meant met paid proven ran rang read ridden risen rode rose said sang sank sat saw seen sent sewn shaken shone shook shot shown shrank shut slept slid sold sought sown spat sped spent spoke spoken sprang spun stole stood struck stuck stung sung sunk swam swept swore sworn swum swung taken taught thought threw thrown told took tore torn trod understood undone went woke woken won wore worn wound woven wrote written
`)

/** Verbs that are also nouns in base form: `search`, `build`, `deploy`. */
const NOUNS_TOO = new Set(
  list(`
account approach build cache call change check commit copy cover cut deal debug demand deploy design display dress drink drive edit end estimate exchange extract fight fix focus force form hook hope index issue join land launch lead light limit load lock log love mark match measure merge mind need note offer order outline override place plan play point practise press prompt quote race reply report request research result resume retry return review ride ring risk roll run sale scan score scroll search set shape share sleep sort sound split spot spread start state stop supply swap switch talk taste test touch trace track trade trail transform travel trigger trust type update upgrade upload use view visit walk wash waste watch wave work wrap
`),
)

const ADJECTIVES = new Set(
  list(`
active actual additional aggressive alive alternative ambiguous ancient angry annoying anonymous apparent appropriate arbitrary atomic automatic average awkward bare basic beautiful blank blue bold boring brief bright brilliant broad busy calm capable careful casual central cheap chief chronic classic classical clean cleaner clear clever cold comfortable common compatible competitive complete complex comprehensive concrete concurrent confident confused conscious consistent constant contextual continuous convenient cool corrupted crazy creative critical cross crucial curious current custom daily damp dark dead decent dedicated deep defensive delicate delicious dense dependent desperate detailed different difficult digital direct dirty distinct domestic double dry dual dumb duplicate dynamic eager early easy economic effective efficient elaborate elegant embarrassing emotional empty endless entire equal equivalent essential eventual evil exact excellent exciting exclusive existing expensive explicit extensive external extra extreme fair faithful false familiar famous fancy fast favorite feasible female few fierce final fine firm flat flexible foreign formal former fragile free frequent fresh friendly front full fun functional fundamental funny further future general generic gentle genuine giant glad global golden good graceful gradual grand grateful great green gross happy hard harmless healthy heavy helpful hidden high historical honest horrible hot huge human hungry ideal identical idle ignorant illegal immediate immutable imperative implicit important impossible impressive inaccurate incomplete inconsistent incorrect incremental independent indirect individual inevitable initial inner innocent innocuous instant intact intelligent intentional interactive interesting intermediate internal invalid invisible isolated joint just keen key kind large late latest lazy leading legacy legal legitimate lengthy less light likely limited linear little live local logical lonely long loose loud lovely low lucky mad magic main major male malformed manual massive mature maximal maximum meaningful mechanical medical mental mere middle mild military minimal minimum minor minute missing mixed mobile modern modest multiple mutable mutual naive narrow native natural neat necessary negative nervous nested neutral new next nice noisy non-interactive normal notable novel nuclear null numerous obvious occasional odd ok old one-time only open opposite optional ordinary organic original orphaned other outer overall own painful pale parallel partial particular passive past patient peaceful per-file perfect permanent personal petty physical plain pleasant pleased plus polite poor popular portable positive possible potential powerful practical precise predictable pregnant present pretty previous primary principal prior private probable problematic profitable prominent proper proud public pure quick quiet random rapid rare raw ready real realistic reasonable recent recursive red redundant regular related relative relevant reliable reluctant remaining remarkable remote repetitive representative responsible responsive rich right rigid robust romantic rough round rude running sad safe same scary secondary secret secure select selective sensible sensitive separate sequential serious severe sexual shallow shared sharp sheer short sick significant silent silly similar simple single singular slight slow small smart smooth social soft solid sophisticated special specific spectacular stable staged stale standalone standard static steady steep sticky stiff straight straightforward strange strict strong structural stuck stupid sturdy subsequent substantial subtle successful sudden sufficient suitable super superior sure surprising suspicious sweet swift symbolic symmetric synchronous systematic tall technical temporary tender terrible thick thin thorough tidy tight tiny tired total tough toxic traditional transient transparent tricky trivial tropical true typical ugly ultimate unable unaware uncertain unchanged unclear uncomfortable uncommitted underlying undefined unexpected unfair unhappy unified uniform unique universal unknown unlikely unmerged unnecessary unrelated unsafe unstable unstaged untracked unused unusual upcoming upper upset urgent useful useless usual vague valid valuable various vast verbose vertical viable violent virtual visible visual vital vulnerable warm weak wealthy weird wet white whole wide wild willing wise wonderful wooden worth wrong yellow young
`),
)
const ADJECTIVE_ENDING = /(?:able|ible|ful|less|ous|ical|ional|er-only|-based|-only|-aware|-specific|-related|-level|-free|-side)$/
const PARTICIPLE = /[a-z]{3,}ed$/
const NO_PARTICIPLE = new Set(
  list('seed feed speed breed weed reed need bed red shed sled embed infrared hundred kindred newlywed thoroughbred'),
)

const FORMS = new Set<string>()
for (const verb of VERBS) {
  const stem = verb.endsWith('e') ? verb.slice(0, -1) : verb
  const doubled = /^[^aeiou]*[aeiou][bdgklmnprt]$/.test(verb) ? verb + verb.at(-1) : verb
  const s = /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`
  const past = /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb.endsWith('e') ? stem : doubled}ed`
  const both = NOUNS_TOO.has(verb)
  for (const form of [past, `${verb.endsWith('e') ? stem : doubled}ing`, ...(both ? [] : [verb, s])]) FORMS.add(form)
}
for (const form of IRREGULAR) FORMS.add(form)
/** `testing` and `logging` are topics too. */
for (const noun of list(
  'building meaning setting parsing rendering tracking scanning training drawing reading writing teaching cooking swimming hiking travelling marketing sharing locking searching indexing caching debugging editing planning landing rating learning running shopping fishing dancing singing banking housing painting',
))
  FORMS.delete(noun)

export type WordClass = 'verb' | 'modifier' | 'noun'

/** Takes lower case. A name may equal a verb (`Mark`, `Grant`); a capitalised adjective is a state: `Idle`. */
export function wordClass(lower: string, isName: boolean): WordClass {
  if (FORMS.has(lower)) return isName ? 'noun' : 'verb'
  if (ADJECTIVES.has(lower)) return 'modifier'
  if (isName) return 'noun'
  return ADJECTIVE_ENDING.test(lower) || (PARTICIPLE.test(lower) && !NO_PARTICIPLE.has(lower)) ? 'modifier' : 'noun'
}

/** After these, an ambiguous word is a verb: `we search`, `to build`. */
export const BEFORE_VERB: ReadonlySet<string> = new Set(
  list(
    `to i we you they he she it who will would can could should must may might shall let's lets don't doesn't didn't won't can't cannot couldn't shouldn't wouldn't do does did please and't not never also just then i'll we'll you'll they'll it'll i'd we'd`,
  ),
)

export const mayBeVerb = (lower: string): boolean =>
  NOUNS_TOO.has(lower) || (lower.endsWith('s') && NOUNS_TOO.has(lower.replace(/e?s$/, '')))
