import type { SoundName } from '#backend/contract/notification-settings.ts';
import * as texts from './texts.ts';

/** One tone of a sound: when it begins and how long it rings, in seconds; how high, in hertz. */
interface Tone {
  at: number;
  seconds: number;
  hertz: number;
  shape: OscillatorType;
}

const tone = (at: number, hertz: number, seconds: number, shape: OscillatorType = 'sine'): Tone => ({
  at,
  seconds,
  hertz,
  shape,
});

/** What each sound is made of. They are played, not recorded: nothing has to be fetched. */
const TONES: Record<SoundName, readonly Tone[]> = {
  chime: [tone(0, 659, 0.5), tone(0.14, 880, 0.7)],
  ping: [tone(0, 1320, 0.35)],
  knock: [tone(0, 196, 0.09, 'triangle'), tone(0.16, 165, 0.12, 'triangle')],
  alarm: [0, 0.2, 0.4].flatMap((at) => [tone(at, 740, 0.09, 'square'), tone(at + 0.1, 988, 0.09, 'square')]),
};

/** How loud a tone begins, of 1. Edged shapes carry further. */
const LOUDNESS: Record<string, number> = { sine: 0.3, triangle: 0.5, square: 0.12 };

/** The names that people read. */
export const SOUND_LABELS: Record<SoundName, string> = {
  chime: texts.chime,
  ping: texts.ping,
  knock: texts.knock,
  alarm: texts.alarm,
};

let context: AudioContext | undefined;

/** Whether the page may make a sound: browsers require that the person has touched it first. */
const maySound = (audio: AudioContext): boolean => audio.state === 'running' || navigator.userActivation?.hasBeenActive;

/**
 * How long the browser may take to let the page play sounds, in milliseconds; without a device to play on it never does. News does
 * not wait for longer, and has the sound of the system then.
 */
const RESUME_MS = 500;

/** The same where somebody has asked for a sound: the first one may have to wait for the device, such as headphones, to start. */
const ASKED_MS = 5_000;

/** Whether the page can play sounds now. Never waits for longer than `mostMs`. */
export async function canPlaySound(mostMs = RESUME_MS): Promise<boolean> {
  if (!('AudioContext' in window)) return false;
  context ??= new AudioContext();
  const audio = context;
  if (!maySound(audio)) return false;
  const resumed = audio.resume().catch(() => undefined);
  await Promise.race([resumed, new Promise((resolve) => setTimeout(resolve, mostMs))]);
  return audio.state === 'running';
}

/** Plays a sound that somebody asks for. False where the browser cannot. */
export const trySound = (name: SoundName): Promise<boolean> => playSound(name, ASKED_MS);

/** Plays a sound. False where the browser does not let the page play sounds yet; it is then not made up for. */
export async function playSound(name: SoundName, mostMs = RESUME_MS): Promise<boolean> {
  if (!(await canPlaySound(mostMs)) || !context) return false;
  const audio = context;
  for (const { at, seconds, hertz, shape } of TONES[name]) {
    const begin = audio.currentTime + at;
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(LOUDNESS[shape] ?? 0.3, begin + 0.005);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
    volume.connect(audio.destination);
    const oscillator = new OscillatorNode(audio, { frequency: hertz, type: shape });
    oscillator.connect(volume);
    oscillator.start(begin);
    oscillator.stop(begin + seconds);
  }
  return true;
}
